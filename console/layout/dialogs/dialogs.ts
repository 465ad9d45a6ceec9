import { createStore } from '../../api/store.ts'

/** What the frame may show over any screen. */
export type FrameDialog = 'search' | 'keys' | 'bar'

export const dialog = createStore<FrameDialog | null>(null)
export const openDialog = (name: FrameDialog): void => dialog.set(name)
export const closeDialog = (): void => dialog.set(null)
