import type { Hands } from './hands.ts'

/** Saves, and waits until nothing is left to save; the error says what the page shows. */
export async function save({ page, press }: Pick<Hands, 'page' | 'press'>): Promise<void> {
  const button = page.getByRole('button', { name: 'Save', exact: true })
  await press(button)
  await button.waitFor({ state: 'detached' }).catch(async (cause) => {
    throw new Error(`not saved: ${await page.getByRole('main').textContent()}`, { cause })
  })
}
