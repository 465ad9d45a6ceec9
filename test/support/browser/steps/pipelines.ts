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
