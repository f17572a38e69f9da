/** The URL of a script that the build bundles as a worker. */
declare module '*?worker&url' {
  const url: string
  export default url
}
