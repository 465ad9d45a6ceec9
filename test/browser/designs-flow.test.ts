import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startBrowserStage } from './browser-stage.ts'

const { stage, window } = await startBrowserStage()
const { call } = stage

const letter = (await call('GET', '/designs/library?language=en')).body.find(
  ({ id }: { id: string }) => id === 'newsletter',
)

/** A saved design of the account. */
async function saved(name: string): Promise<number> {
  const answer = await call('POST', '/designs', { body: { name, type: 'design', design: letter.design } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

const designOf = async (id: number) => (await call('GET', `/designs/${id}`)).body.design

suite('the editor of designs', () => {
  test('by mouse: a block is dragged from the palette, another within; saved as it was but for them', async () => {
    const { page, open, complaints, context } = await window()
    const id = await saved('By mouse')
    await open(`/designs/${id}`)
    const first = page.locator('[data-block="0,0,0"]')
    await first.waitFor()
    const take = page.getByRole('group', { name: 'Blocks to insert' }).getByRole('button', { name: 'Divider' })
    await take.dragTo(first, { targetPosition: { x: 40, y: 2 } })
    await page.locator('[data-block="0,0,0"][aria-label^="Divider"]').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'hidden' })
    const [row, ...rows] = letter.design.rows
    const [blocks, ...others] = row.blocks
    const put = { ...row, blocks: [[{ type: 'divider' }, ...blocks], ...others] }
    assert.deepEqual(await designOf(id), { ...letter.design, rows: [put, ...rows] })
    await page.locator('[data-block="0,0,0"]').dragTo(page.locator('[data-block="1,0,0"]'), {
      targetPosition: { x: 40, y: 2 },
    })
    await page.locator('[data-block="1,0,0"][aria-label^="Divider"]').waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.locator('[data-block="0,0,0"][aria-label^="Divider"]').waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('by keyboard: chosen, moved, duplicated, removed, undone; what is done is announced', async () => {
    const { page, open, complaints, context } = await window()
    const id = await saved('By keyboard')
    await open(`/designs/${id}`)
    await page.locator('[data-design-canvas]').focus()
    await page.keyboard.press('ArrowDown')
    await page.locator('[data-row="0"][data-chosen]').waitFor()
    await page.keyboard.press('Alt+ArrowDown')
    await page.getByText('Row: moved').waitFor({ state: 'attached' })
    await page.locator('[data-row="1"][data-chosen]').waitFor()
    await page.keyboard.press('Control+d')
    await page.getByText('Row: duplicated').waitFor({ state: 'attached' })
    await page.keyboard.press('Delete')
    await page.getByText('Row: removed').waitFor({ state: 'attached' })
    for (let step = 0; step < 3; step++) await page.keyboard.press('Control+z')
    await page.getByRole('button', { name: 'Undo', exact: true }).and(page.locator(':disabled')).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
    assert.deepEqual(await designOf(id), letter.design)
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('text is written in its place and kept as a tree, its values and links with it', async () => {
    const { page, open, complaints, context } = await window()
    const id = await saved('Written')
    await open(`/designs/${id}`)
    const block = page.getByRole('group', { name: /^Text: / }).first()
    const path = String(await block.getAttribute('data-block'))
      .split(',')
      .map(Number)
    await block.dblclick()
    await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Seen')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'hidden' })
    const [row = 0, column = 0, index = 0] = path
    const expected = structuredClone(letter.design)
    expected.rows[row].blocks[column][index].text.content.at(-1).content.at(-1).text += ' Seen'
    assert.deepEqual(await designOf(id), expected)
    assert.deepEqual(complaints, [])
    await context.close()
  })
})
