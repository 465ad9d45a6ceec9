import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { startBrowserStage } from '../../support/browser/browser-stage.ts'
import { test } from '../../support/browser/launch.ts'
import { keyboard, mouse } from '../../support/browser/steps/hands.ts'

const { stage, window } = await startBrowserStage()
const { call, gateway, sendDue } = stage
await call('PUT', '/settings/sending', { body: { testRequired: false } })

/** One message to an address; it is due at once. */
async function messageTo(address: string): Promise<void> {
  const id = await stage.validated(await stage.action({ name: `To ${address}` }))
  const body = [{ recipient: { type: 'id', value: await stage.contact(address) } }]
  const { status, text } = await call('POST', `/actions/${id}/executions`, { body })
  assert.equal(status, 200, text)
  await sendDue()
}

const queueOf = async (name: string) =>
  (await call('GET', '/settings/sending/queues')).body.find(
    ({ destination }: { destination: string }) => destination === name,
  )

suite('deliverability in the console', () => {
  test('a destination is held and released, by mouse and by keyboard', async () => {
    gateway.plan('ann@gmail.com', { result: 'returned', destination: 'gmail' })
    await messageTo('ann@gmail.com')
    const { page, open, complaints, close } = await window()
    await open('/deliverability/queues')
    for (const by of [mouse(page), keyboard(page)]) {
      await by.press(page.getByRole('button', { name: 'Hold' }).first())
      await page.getByRole('button', { name: 'Release' }).waitFor()
      assert.equal((await queueOf('gmail')).state, 'held')
      await by.press(page.getByRole('button', { name: 'Release' }).first())
      await page.getByRole('button', { name: 'Hold' }).waitFor()
      assert.notEqual((await queueOf('gmail')).state, 'held')
    }
    assert.deepEqual(complaints, [])
    await close()
  })

  test('messages in doubt are sent or dropped once someone confirms it', async () => {
    for (const address of ['cleo@shop.example', 'dan@shop.example']) {
      gateway.plan(address, { result: 'doubtful' })
      await messageTo(address)
    }
    const held = async () => (await call('GET', '/settings/sending/held')).body.length
    assert.equal(await held(), 2)
    const { page, open, complaints, close } = await window()
    await open('/deliverability/held')
    const rows = page.getByRole('checkbox', { name: /^Select (?!all)/ })
    await rows.nth(1).waitFor()
    const byKeys = async (): Promise<void> => {
      await page.keyboard.press('j')
      await page.keyboard.press('x')
    }
    for (const [by, select, action, left] of [
      [mouse(page), () => rows.first().check(), 'Send anyway', 1],
      [keyboard(page), byKeys, 'Drop', 0],
    ] as const) {
      await select()
      await by.press(page.getByRole('button', { name: action, exact: true }))
      const dialog = page.getByRole('dialog')
      await by.press(dialog.getByRole('button', { name: action, exact: true }))
      await dialog.waitFor({ state: 'detached' })
      assert.equal(await held(), left)
    }
    await page.getByRole('heading', { level: 2 }).waitFor()
    const before = gateway.sent.length
    await sendDue()
    assert.equal(gateway.sent.length, before + 1)
    assert.deepEqual(complaints, [])
    await close()
  })
})
