import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { startBrowserStage } from '../../support/browser/browser-stage.ts'
import { test } from '../../support/browser/launch.ts'
import { give, keyboard, mouse } from '../../support/browser/steps/hands.ts'
import { png } from '../../support/files/pictures.ts'
import { eventually } from '../../support/wait.ts'

const { stage, url, window } = await startBrowserStage()
const { call } = stage
const { theme } = (await call('GET', '/designs/library?language=en')).body[0].design

const file = async (name: string, width: number) => ({ name, mimeType: 'image/png', buffer: await png(width, 300) })

/** A design of the account with one picture. */
async function designed(name: string): Promise<number> {
  const block = { type: 'image', src: `${url}/m/none/old.png`, alt: 'A pear tree' }
  const design = { version: 1, theme, rows: [{ columns: [100], blocks: [[block]] }] }
  const answer = await call('POST', '/designs', { body: { name, type: 'design', design } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

/** A picture of the account, added by the interface. */
async function uploaded(name: string, width: number): Promise<{ id: number; address: string }> {
  const headers = { 'x-key': stage.own.key, 'content-type': 'image/png' }
  const payload = await png(width, 300)
  return (await stage.app.inject({ method: 'POST', url: `/media?name=${name}`, headers, payload })).json()
}

const mediaOf = async (name: string) => (await call('GET', `/media?q=${name}`)).body

suite('media library in the console', () => {
  test('a picture is uploaded and used in a design, and deleting it while in use needs a second confirmation', async () => {
    const { page, open, complaints, close } = await window()
    await open('/media')
    const asked = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose files' }).click()
    await (await asked).setFiles([
      await file('Pear Tree.png', 700),
      { ...(await file('cut.png', 50)), buffer: Buffer.from('no picture') },
    ])
    const card = page.getByRole('button', { name: /pear-tree\.png/ })
    await card.waitFor()
    await page.getByRole('alert').getByText('The content of the file must be one of').waitFor()
    const [media] = await mediaOf('pear-tree')
    assert.deepEqual([media.width, media.height, media.sizes.length], [700, 300, 1])
    assert.equal(await card.locator('img').getAttribute('src'), media.sizes[0].address)
    await eventually(
      async () => (await card.locator('img').evaluate((one: { naturalWidth: number }) => one.naturalWidth)) === 640,
    )

    const id = await designed('Pears')
    await open(`/designs/${id}`)
    await page.locator('[data-block="0,0,0"]').click()
    await page.getByRole('button', { name: 'Choose picture' }).click()
    await page
      .getByRole('dialog', { name: 'Choose a picture' })
      .getByRole('button', { name: /pear-tree\.png/ })
      .click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'hidden' })
    const { design } = (await call('GET', `/designs/${id}`)).body
    assert.equal(design.rows[0].blocks[0][0].src, media.address)
    const { html } = (await call('POST', '/designs/render', { body: { design } })).body
    assert.ok(html.includes(`src="${media.address}"`))

    await open(`/media?id=${media.id}`)
    const details = page.getByRole('dialog', { name: 'pear-tree.png', exact: true })
    await details.getByRole('button', { name: 'Delete', exact: true }).click()
    await page
      .getByRole('dialog', { name: 'Delete pear-tree.png' })
      .getByRole('button', { name: 'Delete', exact: true })
      .click()
    const refusal = details.getByRole('alert')
    await refusal.getByText('It cannot be deleted, because it is used here:').waitFor()
    assert.match(
      String(await refusal.getByRole('link', { name: 'Pears' }).getAttribute('href')),
      new RegExp(`/designs/${id}$`),
    )
    assert.deepEqual(await mediaOf('pear-tree'), [media])
    await details.getByRole('button', { name: 'Delete anyway' }).click()
    await page.getByRole('dialog', { name: 'Delete pear-tree.png' }).getByText('It is still used in 1 place').waitFor()
    await page.getByRole('button', { name: 'Delete anyway' }).last().click()
    await details.waitFor({ state: 'hidden' })
    assert.deepEqual(await mediaOf('pear-tree'), [])
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a file is dropped, found by name and deleted, and its address is copied', async () => {
    const { page, open, complaints, context } = await window()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
    await open('/media')
    const area = page.locator('[data-media-drop]')
    await area.waitFor()
    const content = (await file('apple.png', 40)).buffer
    const button = page.getByRole('button', { name: 'Choose files' })
    await mouse(page).give(area, button, { name: 'apple.png', type: 'image/png', content })
    await page.getByRole('button', { name: /apple\.png/ }).waitFor()
    await page.getByRole('searchbox', { name: 'Search media by name' }).fill('quince')
    await page.getByText('No file name matches your search.').waitFor()
    assert.match(page.url(), /\/media\?q=quince$/)
    await page.getByRole('searchbox', { name: 'Search media by name' }).fill('APP')
    await page.getByRole('button', { name: /apple\.png/ }).click()
    const details = page.getByRole('dialog', { name: 'apple.png', exact: true })
    await details.getByText('Nothing uses it.').waitFor()
    const [{ address }] = await mediaOf('apple')
    await details.getByRole('button', { name: 'Copy address' }).click()
    await eventually(async () => (await page.evaluate('navigator.clipboard.readText()')) === address)
    await details.getByRole('button', { name: 'Delete', exact: true }).click()
    await page
      .getByRole('dialog', { name: 'Delete apple.png' })
      .getByRole('button', { name: 'Delete', exact: true })
      .click()
    await details.waitFor({ state: 'hidden' })
    assert.deepEqual(await mediaOf('apple'), [])
    assert.deepEqual(complaints, [])
    await context.close()
  })

  for (const [width, [name, handsOf]] of Object.entries({ mouse, keyboard }).entries())
    test(`by ${name} alone, a library picture is inserted at the cursor of an email's HTML`, async () => {
      const { page, open, complaints, close } = await window()
      const { address } = await uploaded(`${name}-quince.png`, 900 + width)
      const html = '<html><body><p>Hello</p><p>Bye</p></body></html>'
      const id = await stage.action({ name: `Pictures by ${name}`, content: { subject: 'Quinces', html } })
      await open(`/messages/email/${id}`)
      const editor = page.getByRole('textbox', { name: 'HTML', exact: true })
      await editor.waitFor()
      const { press } = handsOf(page)
      // Nobody has put the cursor anywhere: the end of the message.
      await press(page.getByRole('button', { name: 'Insert a picture' }))
      await press(
        page.getByRole('dialog', { name: 'Choose a picture' }).getByRole('button', { name: `${name}-quince` }),
      )
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.keyboard.type('A quince')
      // Within a tag: behind it.
      await page.keyboard.press('Control+Home')
      for (let step = 0; step < 14; step++) await page.keyboard.press('ArrowRight')
      await press(page.getByRole('button', { name: 'Insert a picture' }))
      await press(
        page.getByRole('dialog', { name: 'Choose a picture' }).getByRole('button', { name: `${name}-quince` }),
      )
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.keyboard.type('Another')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'hidden' })
      const image = (words: string) =>
        `<img src="${address}" alt="${words}" width="600" style="max-width: 100%; height: auto">`
      const written = `<html><body><p>${image('Another')}Hello</p><p>Bye</p>${image('A quince')}</body></html>`
      assert.equal((await stage.get(id)).content.html, written)
      assert.deepEqual(complaints, [])
      await close()
    })

  test("picture files dropped or pasted into an email's HTML are added and inserted, and other files are not", async () => {
    const { page, open, complaints, close } = await window()
    const html = '<html><body><p>Hello</p></body></html>'
    const id = await stage.action({ name: 'Dropped', content: { subject: 'Plums', html } })
    await open(`/messages/email/${id}`)
    const editor = page.getByRole('textbox', { name: 'HTML', exact: true })
    await editor.waitFor()
    await editor.click()
    await page.keyboard.press('Control+End')
    const content = (await file('damson.png', 40)).buffer
    await give(editor, 'drop', [
      { name: 'damson.png', type: 'image/png', content },
      { name: 'notes.txt', type: 'text/plain', content: Buffer.from('no picture') },
    ])
    await page.getByText('Other files were not added').waitFor()
    await page.getByText('damson.png').waitFor()
    await page.keyboard.press('Control+End')
    // While it is on its way, something is written before it.
    await give(editor, 'paste', [{ name: 'image.png', type: 'image/png', content: (await file('', 50)).buffer }])
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('<!doctype html>')
    await eventually(async () => String(await editor.textContent()).split('<img').length === 3)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'hidden' })
    const [damson] = await mediaOf('damson')
    const [pasted] = await mediaOf('image')
    const kept = (await stage.get(id)).content.html
    const image = ({ address, width }: { address: string; width: number }) =>
      `<img src="${address}" alt="" width="${width}" style="max-width: 100%; height: auto">`
    for (const one of [damson, pasted]) assert.ok(kept.includes(image(one)), kept)
    assert.ok(kept.startsWith('<!doctype html>') && kept.endsWith(`</html>${image(pasted)}`), kept)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a viewer can look and sees nothing that would be refused', async () => {
    const { id } = await uploaded('plum.png', 30)
    const { page, open, complaints, close } = await window({ role: 'viewer', locale: 'fr' })
    await open(`/media?id=${id}`)
    const details = page.getByRole('dialog', { name: 'plum.png' })
    await details.getByText('Rien ne l’utilise.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Supprimer' }).count(), 0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /plum\.png/ }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Choisir des fichiers' }).count(), 0)
    assert.deepEqual(complaints, [])
    await close()
  })
})
