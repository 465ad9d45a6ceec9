import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { startBrowserStage } from '../support/browser/browser-stage.ts'
import { test } from '../support/browser/launch.ts'
import { givePassword, isIn } from '../support/browser/steps/door.ts'
import { mouse } from '../support/browser/steps/hands.ts'
import {
  addressTo,
  newEmail,
  readBalance,
  testMessage,
  untilDone,
  validateMessage,
  writeSubject,
} from '../support/browser/steps/messages.ts'

const READERS = ['ann@orchard.example', 'omar@orchard.example', 'mei@harbour.example']
const UNKNOWN = 'gone@harbour.example'

const { stage, url, password, person, window } = await startBrowserStage()
const { gateway } = stage
gateway.plan(UNKNOWN, { result: 'refused' })
await stage.segment(await Promise.all([...READERS, UNKNOWN].map((address) => stage.contact(address))), {
  name: 'Readers',
})

suite('first campaign in the console', () => {
  test('a person signs in, writes, tests and sends a campaign, and its report counts what was sent and refused', async () => {
    const email = await person('admin')
    const { page, complaints, close } = await window({ role: null })
    const by = mouse(page)
    await page.goto(`${url}/console/sign-in`)
    await givePassword(page, email, password)
    await isIn(page)

    await newEmail(by, 'Harvest letter', 'Newsletter')
    await writeSubject(by, 'The harvest is in')
    await addressTo(by, { segment: 'Readers', count: '4' })
    await testMessage(by, stage.settle)
    assert.deepEqual(
      gateway.sent.map(({ envelope }) => envelope.to),
      [email],
    )
    await validateMessage(by, '4 messages will be captured, not sent, as soon as it is validated')
    await stage.settle()
    await untilDone(by, 4)
    await page.getByText('Sending is complete.').waitFor()
    const sent = gateway.sent.slice(1)
    assert.deepEqual(sent.map(({ envelope }) => envelope.to).toSorted(), READERS.toSorted())
    for (const { bytes } of sent) assert.match(bytes.toString(), /^Subject: The harvest is in\r$/m)

    const none = { 'In doubt': 0, 'Not sent': 0, Postponed: 0, Retrying: 0, Waiting: 0 }
    assert.deepEqual(await readBalance(by), { Sent: 3, Refused: 1, ...none, Audience: 4 })
    assert.deepEqual(complaints, [])
    await close()
  })
})
