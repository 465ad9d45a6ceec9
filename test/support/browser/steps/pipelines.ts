import type { Locator } from 'playwright-core'
import type { Hands } from './hands.ts'

/** A step of the pipeline, by its number; 0: where rows come from. */
export function stepOf({ page }: Pick<Hands, 'page'>, place: number): Locator {
  const name = place === 0 ? 'Where rows come from' : `Step ${place}`
  return page.getByRole('list', { name: 'Steps' }).getByRole('listitem', { name, exact: true })
}

/** Adds a step of a kind at the end. */
export async function addStep(by: Hands, kind: string): Promise<void> {
  await by.choose(by.page.getByRole('combobox', { name: 'Add a step' }), kind)
}

/** Saves, and waits until nothing is left to save. */
export async function save({ page, press }: Hands): Promise<void> {
  await press(page.getByRole('button', { name: 'Save', exact: true }))
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
}
