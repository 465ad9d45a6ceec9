import { createSharedStore } from '../../api/store.ts'

/** Dialogs that the layout can show above any screen. */
export type LayoutDialog = 'search' | 'keys' | 'bar'

export const layoutDialogStore = createSharedStore<LayoutDialog | null>(null)
export const openLayoutDialog = (name: LayoutDialog): void => layoutDialogStore.set(name)
export const closeLayoutDialog = (): void => layoutDialogStore.set(null)
