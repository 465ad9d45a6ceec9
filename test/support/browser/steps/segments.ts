import type { Hands } from './hands.ts'

/** Builds a segment of those whose field ends with a text, and saves it; `count` is seen before it is. */
export async function buildSegment(
  { page, press, write, choose }: Hands,
  { name, ending, count }: { name: string; ending: string; count: string },
): Promise<void> {
  const segments = page.getByRole('link', { name: 'Segments', exact: true }).first()
  if (!(await segments.isVisible())) await press(page.getByRole('link', { name: 'Audience', exact: true }).first())
  await press(segments)
  await page.getByRole('heading', { level: 1, name: 'Segments' }).waitFor()
  await press(page.getByRole('link', { name: 'New segment' }).first())
  await write(page.getByLabel('Name', { exact: true }), name)
  await press(page.getByRole('button', { name: 'Add a criterion' }))
  await choose(page.getByRole('combobox', { name: 'Field or event' }), 'Email')
  await choose(page.getByRole('combobox', { name: 'Comparison' }), 'ends with')
  await write(page.getByLabel('Value', { exact: true }), ending)
  await page.getByText(count, { exact: true }).first().waitFor()
  await press(page.getByRole('button', { name: 'Save' }))
  await page.getByRole('heading', { level: 1, name }).waitFor()
}
