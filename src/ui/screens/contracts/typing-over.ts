import { EditorView } from '@codemirror/view'

/**
 * Typing over a selection, done by the editor. Left to itself, Chromium joins the lines with style attributes, which the
 * page's policy forbids.
 */
export const typingOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { from, to, empty } = view.state.selection.main
    const text = event.data
    if (event.inputType !== 'insertText' || text === null || empty || view.composing) return false
    event.preventDefault()
    const insert = () =>
      view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true })
    // Brackets and quotes go around the selection.
    const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert))
    if (!isHandled) view.dispatch(insert())
    return true
  },
})
