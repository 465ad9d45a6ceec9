import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { placesOf } from '../experiments.ts'
import { startBrowserStage } from './browser-stage.ts'
import { type Hands, keyboard, mouse } from './steps/hands.ts'

const { stage, window } = await startBrowserStage()
const { call, own } = stage

const HTML = '<html><body>Pears <a href="https://shop.example/pears">Come in</a></body></html>'
let letters = 0

async function letter(name: string, more: object = {}) {
  const start = `${name}${++letters}`
  const contacts = await Promise.all([...Array(30).keys()].map((n) => stage.contact(`${start}x${n}@ab.example`)))
  const scheduler = { type: 'asap', segments: { selected: [await stage.segment(contacts)] } }
  const content = { subject: 'Pears', html: HTML }
  return { contacts, id: await stage.action({ type: 'mailCampaign', name: start, content, scheduler, ...more }) }
}

async function save({ page, press }: Hands): Promise<void> {
  const button = page.getByRole('button', { name: 'Save', exact: true })
  await press(button)
  await button.waitFor({ state: 'detached' })
}

/** Two versions, of which the second has its own subject and sender; the rules of the decision. */
async function writeVersions(by: Hands): Promise<void> {
  const { page, press, write, choose } = by
  await press(page.getByRole('button', { name: 'Try two versions' }))
  await write(page.getByLabel('Share of the audience'), '30')
  await page.getByText('about 9 people').waitFor()
  // Radios of a choice are walked by arrows.
  await page.getByRole('radio', { name: 'Version A' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(/version=b/)
  await write(page.getByLabel('Share of the audience'), '30')
  await write(page.getByLabel('Subject'), 'Ripe pears')
  await write(page.getByLabel('Sender’s name'), 'Ann')
  await page.getByText('It differs from the campaign.').waitFor()
  await write(page.getByLabel('Compare for'), '2')
  await choose(page.getByRole('combobox', { name: 'Decision' }), 'By a person, in the report')
  await write(page.getByLabel('At least'), '10')
  await write(page.getByLabel('Hold out'), '10')
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
  ...{ holdout: 10, metric: 'clicks', decideAfter: { unit: 'HOUR', value: 2 }, minimum: 10, decide: 'ask' },
}

suite('experiments in the console', () => {
  for (const [name, hands] of [
    ['mouse', mouse],
    ['keyboard', keyboard],
  ] as const)
    test(`versions are written and saved by ${name}, and nothing else of the campaign changes`, async () => {
      const { id } = await letter(name)
      const { id: _, ...before } = await stage.get(id)
      const { page, open, complaints, context } = await window()
      await open(`/messages/email/${id}?step=versions`)
      await writeVersions(hands(page))
      const { id: __, ...after } = await stage.get(id)
      assert.deepEqual(after, { ...before, settings: { ...before.settings, experiment } })
      assert.deepEqual(complaints, [])
      await context.close()
    })

  test('what the service would refuse is said before; without versions the campaign is as it was', async () => {
    const { id } = await letter('refused', { settings: { experiment } })
    const { page, open, context } = await window()
    await open(`/messages/email/${id}?step=versions`)
    await page.getByLabel('Share of the audience').fill('80')
    await page.getByRole('alert').getByText('The shares are 120 % together').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.goto(page.url().replace('versions', 'when'))
    for (const start of ['By the clock of each contact', 'At the best time of each contact'])
      assert.equal(await page.getByRole('radio', { name: start }).isDisabled(), true)
    await page.goto(page.url().replace('when', 'versions'))
    await page.getByRole('button', { name: 'Without an A/B test' }).click()
    await page.getByRole('button', { name: 'Try two versions' }).waitFor()
    await save(mouse(page))
    assert.equal('experiment' in (await stage.get(id)).settings, false)
    await context.close()
  })

  test('the best time of each contact is chosen with its window', async () => {
    const { id } = await letter('timed')
    const { page, open, context } = await window()
    await open(`/messages/email/${id}?step=when`)
    await page.getByRole('radio', { name: 'At the best time of each contact' }).check()
    await page.getByRole('textbox', { name: 'Date' }).fill('2031-03-20T08:00')
    await page.getByLabel('Window in hours').fill('12')
    await save(mouse(page))
    const { scheduler } = await stage.get(id)
    assert.deepEqual([scheduler.type, scheduler.windowHours], ['bestTime', 12])
    await context.close()
  })

  test('a person decides from the report, with words and numbers; the rest gets that version', {
    timeout: 180_000,
  }, async () => {
    await call('PUT', '/settings/sending', { body: { testRequired: false } })
    const tried = { ...experiment, holdout: 30 }
    const { id, contacts } = await letter('decided', { settings: { experiment: tried } })
    const answer = await call('POST', `/actions/${id}/validation`, { body: { fortest: false } })
    assert.equal(answer.status, 204, answer.text)
    await stage.settle()
    await stage.advance()
    const places = placesOf({ account: own.account, action: id, ...tried }, contacts)
    const rest = contacts.filter((one) => places.get(one) === 'rest')
    const viewer = await window({ role: 'viewer' })
    await viewer.open(`/messages/email/${id}/report`)
    await viewer.page.getByText('waits for the decision').or(viewer.page.getByText('wait for the decision')).waitFor()
    assert.equal(await viewer.page.getByRole('button', { name: 'Decide' }).count(), 0)
    await viewer.context.close()
    const { page, open, complaints, context } = await window()
    await open(`/messages/email/${id}/report`)
    await page.getByRole('button', { name: 'Decide' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'Version B' }).check()
    await dialog.getByText(new RegExp(`^${rest.length} (person|people) will get version B now`)).waitFor()
    await dialog.getByRole('button', { name: 'Send version B' }).click()
    await page.getByText(/Version B went to the rest as a person decided/).waitFor()
    const { decision } = (await call('GET', `/actions/${id}/experiment`)).body
    assert.deepEqual([decision.version, decision.by], ['b', 'person'])
    const sent = stage.gateway.sent.length
    await stage.settle()
    assert.equal(stage.gateway.sent.length, sent + rest.length)
    await page
      .getByRole('link', { name: /held out of the experiment/ })
      .last()
      .click()
    await page.getByRole('heading', { level: 1, name: 'Held out of the experiment' }).waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })
})
