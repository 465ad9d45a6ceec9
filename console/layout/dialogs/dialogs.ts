import { createSharedStore } from '../../api/store.ts'

/** What the frame may show over any screen. */
export type LayoutDialog = 'search' | 'keys' | 'bar'

export const layoutDialogStore = createSharedStore<LayoutDialog | null>(null)
export const openLayoutDialog = (name: LayoutDialog): void => layoutDialogStore.set(name)
export const closeLayoutDialog = (): void => layoutDialogStore.set(null)
