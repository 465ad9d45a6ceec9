import assert from 'node:assert/strict'
import { suite } from 'node:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser/launch.ts'
import { ADA, box, previewed, startPhones, step } from '../../support/browser/phones-stage.ts'
import { type Hands, keyboard, mouse } from '../../support/browser/steps/hands.ts'
import { save } from '../../support/browser/steps/save.ts'
import { placesOf } from '../../support/stages/experiments.ts'

const { stage, window, made, phone, profile } = await startPhones()
const { call, clock, gateway, own } = stage
// Events are stamped by the database.
clock.set(Date.now())

const HTML = '<html><body>Pears <a href="https://shop.example/pears">Come in</a></body></html>'
let letters = 0

async function letter(name: string, more: object = {}) {
  const start = `${name}${++letters}`
  const contacts = await Promise.all([...Array(30).keys()].map((n) => stage.contact(`${start}x${n}@ab.example`)))
  const scheduler = { type: 'asap', segments: { selected: [await stage.segment(contacts)] } }
  const content = { subject: 'Pears', html: HTML }
  return { contacts, id: await stage.action({ type: 'mailCampaign', name: start, content, scheduler, ...more }) }
}

/** Two versions with shares of their own; the second is open then. */
async function writeShares({ page, press, write }: Hands): Promise<void> {
  await press(page.getByRole('button', { name: 'Try two versions' }))
  await write(page.getByLabel('Share of the audience'), '30')
  await page.getByText('about 9 contacts').waitFor()
  // Radios of a choice are walked by arrows.
  await page.getByRole('radio', { name: 'Version A' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(/version=b/)
  await write(page.getByLabel('Share of the audience'), '30')
  await page.getByText('about 9 contacts').nth(1).waitFor()
}

/** Two versions, of which the second has its own subject and sender; the rules of the decision. */
async function writeVersions(by: Hands): Promise<void> {
  const { page, write, choose } = by
  await writeShares(by)
  await write(page.getByRole('textbox', { name: 'Subject' }), 'Ripe pears')
  await write(page.getByLabel('Sender name'), 'Ann')
  await page.getByText('It differs from the campaign.').waitFor()
  await write(page.getByLabel('Compare for'), '2')
  await choose(page.getByRole('combobox', { name: 'Decision' }), 'By a user, in the report')
  await write(page.getByLabel('Minimum contacts per version'), '10')
  await write(page.getByLabel('Holdout group'), '10')
  await page
    .getByText(/The rest.*30/)
    .first()
    .waitFor()
  await save(by)
}

const experiment = {
  versions: [
    { id: 'a', share: 30 },
    { id: 'b', share: 30, subject: 'Ripe pears', from: { label: 'Ann' } },
  ],
  holdout: 10,
  metric: 'clicks',
  decideAfter: { unit: 'HOUR', value: 2 },
  minimum: 10,
  decide: 'ask',
}

const orders = { event: { type: 'custom', names: ['order'] }, within: { unit: 'DAY', value: 3 } }

/** So many contacts with phones of their own, by their ids. */
async function phoned(name: string, count: number): Promise<Map<string, string>> {
  const phones = new Map<string, string>()
  for (let n = 0; n < count; n++) {
    const number = `+33602${String(++letters).padStart(6, '0')}`
    phones.set(await stage.contact(`${name}${n}@ab.example`, { Mobile: number }), number)
  }
  return phones
}

/** A contact has a custom event, as a script publishes it. */
async function happens(...contacts: string[]): Promise<void> {
  const task = await made('/scripting/webtasks', {
    name: `Order ${++letters}`,
    scripting: { environment: { capabilities: ['events.publish'] } },
    value:
      'export default ({ data }) => Promise.all(data.contacts.map((value) => events.publish("order", {}, { type: "id", value })))',
  })
  const answer = await call('POST', `/scripting/webtasks/${task.id}/execution`, { body: { data: { contacts } } })
  assert.deepEqual([answer.status, answer.body.type], [200, 'success'], answer.text)
}

async function validate({ page, press }: Hands): Promise<void> {
  await press(page.getByRole('button', { name: 'Validate and send' }))
  await press(page.getByRole('dialog').getByRole('button', { name: 'Validate and send' }))
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** The shares of a validated campaign leave. */
async function sharesLeave(): Promise<void> {
  await stage.advance()
  await stage.settle()
  await stage.advance()
}

/** The lines of a table of the report, each as the words of its cells. */
async function linesOf(page: Page, table: string): Promise<string[][]> {
  const rows = page.getByRole('table', { name: table }).locator('tbody tr')
  await rows.first().waitFor()
  return Promise.all((await rows.all()).map((row) => row.locator('th, td').allInnerTexts()))
}

suite('experiments in the console', () => {
  for (const [name, hands] of [
    ['mouse', mouse],
    ['keyboard', keyboard],
  ] as const)
    test(`versions are written and saved by ${name}, and nothing else in the campaign changes`, async () => {
      const { id } = await letter(name)
      const { id: _, ...before } = await stage.get(id)
      const { page, open, complaints, close } = await window()
      await open(`/messages/email/${id}?step=versions`)
      await writeVersions(hands(page))
      const { id: __, ...after } = await stage.get(id)
      assert.deepEqual(after, { ...before, settings: { ...before.settings, experiment } })
      assert.deepEqual(complaints, [])
      await close()
    })

  test('invalid shares are reported before saving, and removing the versions removes the experiment', async () => {
    const { id } = await letter('refused', { settings: { experiment } })
    const { page, open, close } = await window()
    await open(`/messages/email/${id}?step=versions`)
    await page.getByLabel('Share of the audience').fill('80')
    await page.getByRole('alert').getByText('The shares add up to 120%').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.goto(page.url().replace('versions', 'when'))
    for (const start of ['In each contact’s time zone', 'At each contact’s best time'])
      assert.equal(await page.getByRole('radio', { name: start }).isDisabled(), true)
    await page.goto(page.url().replace('when', 'versions'))
    await page.getByRole('button', { name: 'Remove the A/B test' }).click()
    await page.getByRole('button', { name: 'Try two versions' }).waitFor()
    await save(mouse(page))
    assert.equal('experiment' in (await stage.get(id)).settings, false)
    await close()
  })

  test('the best time of each contact is chosen with its window', async () => {
    const { id } = await letter('timed')
    const { page, open, close } = await window()
    await open(`/messages/email/${id}?step=when`)
    await page.getByRole('radio', { name: 'At each contact’s best time' }).check()
    await page.getByRole('textbox', { name: 'Date' }).fill('2031-03-20T08:00')
    await page.getByLabel('Window in hours').fill('12')
    await save(mouse(page))
    const { scheduler } = await stage.get(id)
    assert.deepEqual([scheduler.type, scheduler.windowHours], ['bestTime', 12])
    await close()
  })

  test('a person picks the winner from the report, and the remaining contacts get that version', async () => {
    await call('PUT', '/settings/sending', { body: { testRequired: false } })
    const tried = { ...experiment, holdout: 30 }
    const { id, contacts } = await letter('decided', { settings: { experiment: tried } })
    const answer = await call('POST', `/actions/${id}/validation`, { body: { fortest: false } })
    assert.equal(answer.status, 204, answer.text)
    await call('PUT', '/settings/sending', { body: { testRequired: true } })
    await stage.settle()
    await stage.advance()
    const places = placesOf({ account: own.account, action: id, ...tried }, contacts)
    const rest = contacts.filter((one) => places.get(one) === 'rest')
    const viewer = await window({ role: 'viewer' })
    await viewer.open(`/messages/email/${id}/report`)
    await viewer.page.getByText('waiting for the decision').waitFor()
    assert.equal(await viewer.page.getByRole('button', { name: 'Choose a version' }).count(), 0)
    await viewer.close()
    const { page, open, complaints, close } = await window()
    await open(`/messages/email/${id}/report`)
    await page.getByRole('button', { name: 'Choose a version' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'Version B' }).check()
    await dialog.getByText(new RegExp(`^${rest.length} (contact|contacts) will get version B now`)).waitFor()
    await dialog.getByRole('button', { name: 'Send version B' }).click()
    await page.getByText(/Version B was chosen manually for the rest of the audience/).waitFor()
    const { decision } = (await call('GET', `/actions/${id}/experiment`)).body
    assert.deepEqual([decision.version, decision.by], ['b', 'person'])
    const sent = stage.gateway.sent.length
    await stage.settle()
    assert.equal(stage.gateway.sent.length, sent + rest.length)
    await page
      .getByRole('link', { name: /in the holdout group/ })
      .last()
      .click()
    await page.getByRole('heading', { level: 1, name: 'Holdout group of the A/B test' }).waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('an SMS experiment with a goal is written, tested, sent and compared with the holdout', async () => {
    const phones = await phoned('texted', 30)
    const scheduler = { type: 'asap', segments: { selected: [await stage.segment([...phones.keys()])] } }
    const { id } = await made('/actions', {
      type: 'smsCampaign',
      name: 'Pears by text',
      content: { textContent: 'Pears' },
      scheduler,
      settings: { sender: 'ORCHARD', field: phone, purpose: { type: 'service' } },
    })
    const { page, open, complaints, close } = await window()
    const by = mouse(page)
    const { press, write, choose } = by
    await open(`/messages/sms/${id}?step=versions`)
    await writeShares(by)
    await write(page.getByRole('textbox', { name: 'Text', exact: true }), 'Ripe pears')
    await write(page.getByLabel('Holdout group'), '30')
    await write(page.getByLabel('Minimum contacts per version'), '10')
    await choose(box(page, 'Decision'), 'By a user, in the report')
    await press(page.getByRole('button', { name: 'Add a goal' }))
    await write(box(page, 'Names'), 'order')
    await page.keyboard.press('Enter')
    await write(page.getByLabel('Counts within'), '3')
    const { id: _, ...before } = await stage.get(id)
    await save(by)
    const tried = {
      versions: [
        { id: 'a', share: 30 },
        { id: 'b', share: 30, content: { textContent: 'Ripe pears' } },
      ],
      holdout: 30,
      metric: 'clicks',
      decideAfter: { unit: 'HOUR', value: 4 },
      minimum: 10,
      decide: 'ask',
      goal: orders,
    }
    const { id: __, ...after } = await stage.get(id)
    assert.deepEqual(after, { ...before, settings: { ...before.settings, experiment: tried } })

    await step(page, 'Test and send')
    await page.getByText('Version A 30% and Version B 30% at first, and 10% once it is decided').waitFor()
    await page.getByText('30% of them are in the holdout group and receive nothing.').waitFor()
    const proofs = async (version: string): Promise<string[]> => {
      await choose(box(page, 'Version'), version)
      await write(page.getByLabel('Another number'), '+33699999999')
      await press(page.getByRole('button', { name: 'Send test' }))
      await page.getByText('The test is under way').waitFor()
      await stage.settle()
      await page.getByText('The test is under way').waitFor({ state: 'detached' })
      return gateway.sentSms.splice(0).map(({ to, text }) => `${to} ${text}`)
    }
    const [proof, ...more] = await proofs('Version B')
    assert.match(proof!, /^\+33699999999 .*Ripe pears/)
    assert.deepEqual(more, [])
    // One version alone leaves the campaign untested.
    assert.equal(await stage.state(id), 20)
    assert.equal(await page.getByRole('button', { name: 'Validate and send' }).count(), 0)
    assert.equal((await proofs('Every version')).length, 2)
    await page.getByText('The test has passed').waitFor()
    await validate(by)
    await sharesLeave()
    const places = placesOf({ account: own.account, action: id, ...tried }, phones.keys())
    const of = (share: string) => [...phones.keys()].filter((one) => places.get(one) === share)
    const sent = gateway.sentSms.splice(0).map(({ to, text }) => `${to} ${text}`)
    const texts = (share: string, text: string) => of(share).map((one) => `${phones.get(one)} ${text}`)
    assert.deepEqual(sent.toSorted(), [...texts('a', 'Pears'), ...texts('b', 'Ripe pears')].toSorted())

    await happens(...of('b').slice(0, 3), ...of('heldOut').slice(0, 1), ...of('rest').slice(0, 1))
    await page.getByRole('link', { name: 'Report', exact: true }).click()
    const shown = async (table: string) =>
      (await linesOf(page, table)).map(([, ...cells]) => cells.slice(0, 2).map(Number))
    assert.deepEqual(await shown('A/B test'), [
      [of('a').length, 0],
      [of('b').length, 0],
    ])
    assert.deepEqual(await shown('Goal: order'), [
      [of('a').length, 0],
      [of('b').length, 3],
      [of('heldOut').length, 1],
    ])
    await page
      .getByRole('row', { name: /^Version B/ })
      .getByRole('link', { name: '3', exact: true })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Reached the goal: Version B' }).waitFor()
    for (const one of of('b').slice(0, 3)) await page.getByText(phones.get(one)!).waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a version of a rich message is written, proofed alone and sent to its share', async () => {
    const phones = await phoned('carded', 30)
    const scheduler = { type: 'asap', segments: { selected: [await stage.segment([...phones.keys()])] } }
    const { id } = await made('/channel/rcs/actions', {
      type: 'rcsCampaign',
      name: 'Pears on a card',
      content: { type: 'text', text: 'Pears' },
      scheduler,
      settings: { profile, field: phone, purpose: { type: 'service' } },
    })
    const read = async () => (await call('GET', `/channel/rcs/actions/${id}`)).body
    const before = await read()
    const { page, open, complaints, close } = await window()
    const by = mouse(page)
    await open(`/messages/rcs/${id}?step=versions`)
    await writeShares(by)
    await by.write(page.getByRole('textbox', { name: 'Text', exact: true }), 'Ripe pears')
    await save(by)
    const { experiment: stored, ...settings } = (await read()).settings
    const [, ripe] = stored.versions
    assert.deepEqual(ripe, { id: 'b', share: 30, content: { ...before.content, text: 'Ripe pears' } })
    assert.deepEqual({ ...(await read()), settings }, before)

    await step(page, 'Test and send')
    await previewed(page, 'ada@', ADA, 'Send test to')
    await by.choose(box(page, 'Version'), 'Version B')
    await by.press(page.getByRole('button', { name: 'Send test' }))
    await page.getByText('1 test is on its way').waitFor()
    await stage.settle()
    const taken = () =>
      gateway.sentRcs.splice(0).map(({ to, contentMessage }) => `${to} ${JSON.parse(contentMessage).text}`)
    assert.deepEqual(taken(), ['+33612345678 Ripe pears'])
    await validate(by)
    await sharesLeave()
    const places = placesOf({ account: own.account, action: id, ...stored }, phones.keys())
    const texts = (share: string, text: string) =>
      [...phones].filter(([one]) => places.get(one) === share).map(([, to]) => `${to} ${text}`)
    assert.deepEqual(taken().toSorted(), [...texts('a', 'Pears'), ...texts('b', 'Ripe pears')].toSorted())
    await open(`/messages/rcs/${id}/report`)
    assert.deepEqual(
      (await linesOf(page, 'A/B test')).map(([, sent]) => Number(sent)),
      [texts('a', '').length, texts('b', '').length],
    )
    assert.deepEqual(complaints, [])
    await close()
  })
})
