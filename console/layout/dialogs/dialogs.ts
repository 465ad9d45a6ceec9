import { createSharedStore } from '../../api/store.ts'
import { startTypeAhead } from './type-ahead.ts'

/** Dialogs that the layout can show above any screen. */
export type LayoutDialog = 'search' | 'keys' | 'bar'

export const layoutDialogStore = createSharedStore<LayoutDialog | null>(null)
export const openLayoutDialog = (name: LayoutDialog): void => layoutDialogStore.set(name)

/** Opens the search; what is typed while it loads is kept for it. */
export function openSearch(): void {
  startTypeAhead()
  openLayoutDialog('search')
}

export const closeLayoutDialog = (): void => layoutDialogStore.set(null)
