/** Letters that were typed before the field for them was there; null while nobody types ahead. */
let pendingText: string | null = null
let receiver: ((text: string) => void) | undefined

function handleKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
  if (event.key === 'Escape') stopTypeAhead()
  if (event.key.length !== 1) return
  event.preventDefault()
  event.stopPropagation()
  if (receiver) receiver(event.key)
  else pendingText = (pendingText ?? '') + event.key
}

/** Keeps what is typed from now on, until the field has the focus. */
export function startTypeAhead(): void {
  if (pendingText !== null) return
  pendingText = ''
  addEventListener('keydown', handleKey, { capture: true })
}

/** The field has the focus: it takes letters itself. */
export function stopTypeAhead(): void {
  pendingText = null
  removeEventListener('keydown', handleKey, { capture: true })
}

/** Hands over what was typed so far, and each letter that follows before the field has the focus. */
export function receiveTypeAhead(receive: (text: string) => void): () => void {
  receiver = receive
  if (pendingText) receive(pendingText)
  if (pendingText !== null) pendingText = ''
  return () => {
    receiver = undefined
    stopTypeAhead()
  }
}
