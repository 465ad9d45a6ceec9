import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { startBrowserStage } from '../../support/browser/browser-stage.ts'
import { test } from '../../support/browser/launch.ts'
import { type Hands, keyboard, mouse } from '../../support/browser/steps/hands.ts'
import { save } from '../../support/browser/steps/save.ts'
import { eventually } from '../../support/wait.ts'

const browserStage = await startBrowserStage()
const { stage, window } = browserStage
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

/** A saved design of one row with one heading. */
async function small(name: string) {
  const { theme, language } = letter.design
  const heading = { type: 'heading', text: 'A heading' }
  const design = { version: 1, language, theme, rows: [{ columns: [100], blocks: [[heading]] }] }
  const answer = await call('POST', '/designs', { body: { name, type: 'design', design } })
  assert.equal(answer.status, 200, answer.text)
  return { id: answer.body.id as number, design, heading }
}

const designOf = async (id: number) => (await call('GET', `/designs/${id}`)).body.design

suite('design editor', () => {
  test('by mouse, a block is dragged from the palette and moved, and saving changes nothing else', async () => {
    const { page, open, complaints, close } = await window()
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
    await close()
  })

  test('by keyboard, a row is selected, moved, duplicated, removed and undone, and each step is announced', async () => {
    const { page, open, complaints, close } = await window()
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
    await close()
  })

  test('text is edited in place and saved as a tree with its values and links', async () => {
    const { page, open, complaints, close } = await window()
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
    await close()
  })

  for (const [name, handsOf] of Object.entries({ mouse, keyboard }))
    test(`by ${name} alone, a block is inserted, gets a value, is moved, undone and saved`, async () => {
      const { page, open, complaints, close } = await window()
      const { id, design, heading } = await small(`All by ${name}`)
      await open(`/designs/${id}`)
      const by = handsOf(page)
      await writeText(by)
      const written = {
        type: 'text',
        text: {
          type: 'doc',
          content: [
            {
              type: 'paragraph',
              content: [
                { type: 'text', text: 'Dear ' },
                { type: 'value', attrs: { code: '{{ contact.Email }}' } },
                { type: 'text', text: ', hello' },
              ],
            },
          ],
        },
      }
      const rows = [...design.rows, { columns: [100], blocks: [[written]] }]
      await by.press(page.getByRole('button', { name: 'Move up' }))
      await page.locator('[data-block="0,0,1"]').waitFor()
      await save(by)
      const moved = await designOf(id)
      assert.deepEqual(moved.rows[0], { columns: [100], blocks: [[heading, written]] })
      await by.press(page.getByRole('button', { name: 'Undo', exact: true }))
      await page.locator('[data-block="1,0,0"]').waitFor()
      await save(by)
      assert.deepEqual(await designOf(id), { ...design, rows })
      assert.deepEqual(complaints, [])
      await close()
    })

  test('words typed quickly on a slow machine are all saved, and saving keeps the selection and Undo', async () => {
    const { page, open, complaints, context, close } = await window()
    const { id, design } = await small('Quickly')
    await open(`/designs/${id}`)
    await page.locator('[data-block="0,0,0"]').click()
    const words = page.getByRole('region', { name: 'Settings: Heading' }).getByRole('textbox', { name: 'Text' })
    await words.focus()
    await page.keyboard.press('End')
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 10 })
    const quick = ' and all that comes after it'
    // Keys are not waited for: they come while those before are still worked on.
    await Promise.all([...quick].map((key) => page.keyboard.press(key === ' ' ? 'Space' : key)))
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'hidden' })
    const heading = { type: 'heading', text: `A heading${quick}` }
    assert.deepEqual(await designOf(id), { ...design, rows: [{ columns: [100], blocks: [[heading]] }] })
    // What was chosen is chosen still, and what was done can be undone.
    await words.waitFor()
    assert.equal(await page.getByRole('button', { name: 'Undo', exact: true }).isEnabled(), true)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a row is saved and inserted into another design, and a missing footer is added by a button', async () => {
    const { page, open, complaints, close } = await window()
    const { id, design } = await small('With a footer')
    await open(`/designs/${id}`)
    await page.getByRole('button', { name: 'Add a footer' }).click()
    await page.locator('[data-block="1,0,0"][aria-label^="Footer"]').waitFor()
    await page.getByRole('button', { name: 'Library', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Save this row' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Our footer')
    await page.keyboard.press('Enter')
    await page.getByText('Our footer is saved').waitFor()
    const other = await small('Without one')
    const listed = (await call('GET', '/designs')).body.find(({ name }: { name: string }) => name === 'Our footer')
    const kept = await designOf(listed.id)
    const [footer] = kept.rows
    assert.deepEqual([listed.type, kept], ['rows', { ...design, rows: [footer] }])
    page.on('dialog', (dialog) => dialog.accept())
    await open(`/designs/${other.id}`)
    await page.locator('[data-block="0,0,0"]').waitFor()
    await page.getByRole('button', { name: 'Library', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Insert a saved row' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Our footer' }).click()
    await page.locator('[data-row="1"]').waitFor()
    await save(mouse(page))
    assert.deepEqual(await designOf(other.id), { ...design, rows: [...design.rows, footer] })
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a session that ends while a design is edited loses nothing', async () => {
    const { page, open, close } = await window()
    const { id, design } = await small('Half done')
    await open(`/designs/${id}`)
    await page.getByRole('group', { name: 'Blocks to insert' }).getByRole('button', { name: 'Divider' }).click()
    await stage.context.db.deleteFrom('sessions').execute()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has expired' })
    await dialog.getByLabel('Password', { exact: true }).fill(browserStage.password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'hidden' })
    const rows = [...design.rows, { columns: [100], blocks: [[{ type: 'divider' }]] }]
    assert.deepEqual(await designOf(id), { ...design, rows })
    browserStage.forgetSessions()
    await close()
  })

  test('an abandoned draft of a design is offered again', async () => {
    const { page, open, close } = await window()
    const { id } = await small('Left behind')
    await open(`/designs/${id}`)
    await page.getByRole('group', { name: 'Blocks to insert' }).getByRole('button', { name: 'Divider' }).click()
    await eventually(async () => String(await page.evaluate('JSON.stringify(localStorage)')).includes('divider'))
    page.on('dialog', (dialog) => dialog.accept())
    await open(`/designs/${id}`)
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.locator('[data-block="1,0,0"][aria-label^="Divider"]').waitFor()
    await close()
  })

  test('of two people editing one design, the second sees what changed and chooses', async () => {
    const { page, open, close } = await window()
    const { id, design } = await small('Ours')
    await open(`/designs/${id}`)
    await page.getByRole('group', { name: 'Blocks to insert' }).getByRole('button', { name: 'Divider' }).click()
    assert.equal((await call('PUT', `/designs/${id}`, { body: { name: 'Theirs', design: letter.design } })).status, 200)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Someone else changed this' })
    await dialog.getByRole('row', { name: /^Rows and blocks/ }).waitFor()
    await dialog.getByRole('row', { name: /^Name Theirs Ours/ }).waitFor()
    await dialog.getByRole('button', { name: 'Save my version' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'hidden' })
    const rows = [...design.rows, { columns: [100], blocks: [[{ type: 'divider' }]] }]
    assert.deepEqual(await designOf(id), { ...design, rows })
    await close()
  })

  test('hostile texts and HTML in a design do not affect the console', async () => {
    const hostile = `<img src=x onerror="document.title='taken'"> "q" 'q' \u202eاسم\u202c`
    const text = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: hostile }] }] }
    const blocks = [
      { type: 'heading', text: hostile },
      { type: 'text', text },
      { type: 'button', text: hostile, href: "javascript:document.title='taken'" },
      { type: 'html', html: `${hostile}<script>top.document.title='taken'</script>` },
      { type: 'product', title: hostile, text: hostile, price: hostile },
    ]
    const rows = [{ columns: [100], condition: `contact.Email == "${hostile.replaceAll('"', '')}"`, blocks: [blocks] }]
    const design = { ...letter.design, rows }
    const made = await call('POST', '/designs', { body: { name: hostile, type: 'design', design } })
    assert.equal(made.status, 200, made.text)
    const { page, open, complaints } = await window()
    await page.addInitScript(
      `self.violations = []; addEventListener('securitypolicyviolation', ({ violatedDirective }) => violations.push(violatedDirective))`,
    )
    for (const path of [`/designs/${made.body.id}`, '/designs']) {
      await open(path)
      await page.getByText('<img src=x').first().waitFor()
      await page.waitForLoadState('networkidle')
      assert.equal(await page.locator('img[src=x]').count(), 0)
      assert.doesNotMatch(await page.title(), /^taken/)
      assert.deepEqual(await page.evaluate('violations'), [])
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
    }
    // Frames say what they blocked; of the console itself nothing is said.
    assert.deepEqual(
      complaints.filter((one) => !/srcdoc|sandbox|inline script/i.test(one)),
      [],
    )
    assert.equal((await call('DELETE', `/designs/${made.body.id}`)).status, 204)
    await page.context().close()
  })

  test('a read-only user can edit nothing and sees nothing that would be refused', async () => {
    const { id, design } = await small('Only read')
    const { page, open, close, complaints } = await window({ role: 'viewer' })
    const refused: string[] = []
    page.on('response', (response) => void (response.status() === 403 && refused.push(response.url())))
    await open('/designs')
    await page.getByText('Only read').waitFor()
    assert.equal(await page.getByRole('button', { name: 'New design' }).count(), 0)
    await open(`/designs/${id}`)
    await page.locator('[data-block="0,0,0"]').click()
    const words = page.getByRole('region', { name: 'Settings: Heading' }).getByRole('textbox', { name: 'Text' })
    assert.equal(await words.getAttribute('readonly'), '')
    for (const name of ['Undo', 'Remove', 'Library', 'Save', 'Divider', 'Add a footer'])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
    await page.keyboard.press('Delete')
    await page.locator('[data-block="0,0,0"]').waitFor()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('dialog').locator('iframe').waitFor()
    assert.deepEqual([refused, complaints], [[], []])
    assert.deepEqual(await designOf(id), design)
    await close()
  })
})

/** Inserts a text at the end and writes in it, with a value between the words. */
async function writeText({ page, press, choose }: Hands): Promise<void> {
  await press(page.getByRole('group', { name: 'Blocks to insert' }).getByRole('button', { name: 'Text', exact: true }))
  await press(page.locator('[data-block="1,0,0"]'))
  const words = page.getByRole('textbox', { name: 'Text', exact: true })
  await words.waitFor()
  await page.locator('[contenteditable]:focus').waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Dear ')
  await press(page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name: 'Insert a field' }))
  const insertion = page.getByRole('form', { name: 'Insert a field' })
  await choose(insertion.getByRole('combobox', { name: 'Field' }), 'Email')
  await press(insertion.getByRole('button', { name: 'Insert' }))
  await page.locator('[contenteditable]:focus').waitFor()
  await page.keyboard.type(', hello')
  await page.keyboard.press('Escape')
  await words.waitFor({ state: 'detached' })
  await page.locator('[data-block="1,0,0"]:focus').waitFor()
}
