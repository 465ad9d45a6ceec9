/** One change to a text: what stands from `start` to `end` becomes `text`. */
export interface TextEdit {
  start: number
  end: number
  text: string
}

/** Sorts edits by place. They must not overlap; of two at one place the first given stays first. */
export function sortEdits(edits: readonly TextEdit[]): TextEdit[] {
  return edits.toSorted((firstEdit, right) => firstEdit.start - right.start)
}

/** The text with its sorted edits made. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let editedText = ''
  let position = 0
  for (const edit of edits) {
    editedText += text.slice(position, edit.start) + edit.text
    position = edit.end
  }
  return editedText + text.slice(position)
}

/** The place in the text as it was for a place in the edited one; the start of an edit for what it put there. */
export function toOriginalOffset(edits: readonly TextEdit[], offset: number): number {
  let shift = 0
  for (const { start, end, text } of edits) {
    if (offset < start + shift) break
    if (offset < start + shift + text.length) return start
    shift += text.length - (end - start)
  }
  return offset - shift
}
