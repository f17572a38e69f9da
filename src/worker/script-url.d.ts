/** The address of a script that the build makes a worker of. */
declare module '*?worker&url' {
  const url: string
  export default url
}
