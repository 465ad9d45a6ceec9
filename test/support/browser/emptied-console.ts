import type { Page } from 'playwright-core'
import componentTexts from '../../../console/components/en.ts'

/** More than it takes to show that an address leads nowhere. */
const MOST_FRAMES = 60

/**
 * Leads the console to an address where it shows its layout alone, and discards what it has read and stored. The cache of what was read is
 * found through React's own tree, as the page does not offer it.
 */
const EMPTY = `(async (address) => {
  const main = document.querySelector('main#content')
  if (main === null) return false
  history.replaceState(null, '', address)
  const isEmpty = () =>
    main.textContent.startsWith(${JSON.stringify(componentTexts.missing)}) &&
    document.querySelector('[role=dialog], [role=status][aria-live] > *') === null
  for (let frame = 0; frame < ${MOST_FRAMES} && !isEmpty(); frame++) await new Promise(requestAnimationFrame)
  if (!isEmpty()) return false
  let fiber = main[Object.keys(main).find((key) => key.startsWith('__reactFiber$'))]
  while (!fiber.memoizedProps?.client?.resetQueries) fiber = fiber.return
  const { client } = fiber.memoizedProps
  client.removeQueries({ type: 'inactive' })
  await client.resetQueries()
  localStorage.clear()
  sessionStorage.clear()
  return true
})`

/**
 * Returns the console of a page to the state after it was loaded: nothing but the layout is shown, and nothing read or stored is left.
 * Resolves with false where the console must be loaded instead: it is not there, or a dialog or a notice stays open.
 */
export const emptyConsole = (page: Page, account: string): Promise<boolean> =>
  page.evaluate(`${EMPTY}(${JSON.stringify(`/console/${account}/nowhere`)})`)

/** Leads a loaded console to another address of its account, as its links do: the page is not loaded again. */
export const followAddress = (page: Page, address: string): Promise<void> =>
  page.evaluate(`history.replaceState(null, '', ${JSON.stringify(address)})`)
