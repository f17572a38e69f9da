/** Id of the element that holds the screen. */
export const MAIN_ID = 'main'
