import assert from 'node:assert/strict'
import { suite } from 'node:test'
import type { Page } from 'playwright-core'
import { finalizePushRuns } from '../../../src/features/notifications/sends/run-ends.ts'
import { startDueNotifications } from '../../../src/features/notifications/sends/runs.ts'
import { test } from '../../support/browser/launch.ts'
import { ADA, box, previewed, startPhones, step } from '../../support/browser/phones-stage.ts'
import { type Hands, mouse } from '../../support/browser/steps/hands.ts'
import { save } from '../../support/browser/steps/save.ts'

const { stage, window, phone, profile, application, device } = await startPhones()
const { call, context, gateway } = stage

/** Makes a campaign of a channel by the button of its list; gives its id. */
async function begun({ page, press, write }: Hands, channel: string, button: string, name: string): Promise<string> {
  await press(page.getByRole('button', { name: button }).first())
  const dialog = page.getByRole('dialog')
  await write(dialog.getByLabel('Name'), name)
  await press(dialog.getByRole('button', { name: 'Create' }))
  await page.getByRole('heading', { level: 1, name }).waitFor()
  return new RegExp(`/messages/${channel}/(\\w+)`).exec(page.url())?.[1] ?? ''
}

/** Adds one of the choices of a field that takes some. */
async function added(page: Page, field: string, choice: string): Promise<void> {
  await page.getByLabel(field, { exact: true }).first().press('ArrowDown')
  await page.getByRole('option', { name: choice, exact: true }).click()
  await page.keyboard.press('Escape')
}

/** Chooses who gets it, and saves. */
async function addressed(by: Hands): Promise<void> {
  const { page } = by
  await step(page, 'Audience')
  await added(page, 'Segments', 'Readers')
  await page.getByText('Will receive it').first().waitFor()
  await save(by)
}

/** Validates what is ready, in the dialog that says what will happen. */
async function validated({ page, press }: Hands): Promise<void> {
  await press(page.getByRole('button', { name: 'Validate and send' }))
  await press(page.getByRole('dialog').getByRole('button', { name: 'Validate and send' }))
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

const folded = (page: Page) => page.getByText('More settings', { exact: true }).click()

/** A campaign is validated and goes out to both contacts, and its progress says so. `sent`: what was sent, a proof first. */
async function goesOut(by: Hands, sent: readonly { to: string }[]): Promise<void> {
  const { page } = by
  await validated(by)
  await stage.advance()
  await stage.work()
  await page.getByText('0 of 2 done').first().waitFor()
  await stage.settle()
  await page.getByText('2 of 2 done').first().waitFor()
  await page.getByText('Sending is complete.').waitFor()
  assert.deepEqual(
    sent
      .slice(1)
      .map(({ to }) => to)
      .sort(),
    ['+33612345678', '+33612345679'],
  )
}

suite('SMS, rich messages and notifications in the console', { concurrency: false }, () => {
  test('an SMS is written, tested on a phone, sent and followed to its end', async () => {
    const { page, open, complaints, close } = await window()
    const by = mouse(page)
    await open('/messages/sms')
    const id = await begun(by, 'sms', 'New SMS', 'Pears by SMS')
    const text = page.getByRole('textbox', { name: 'Text', exact: true })
    await by.write(text, 'Pears… for ')
    await by.press(page.getByRole('button', { name: 'Insert a field: Text' }))
    const insertion = page.getByRole('form', { name: 'Insert a field' })
    await by.choose(insertion.getByRole('combobox', { name: 'Field' }), 'Email')
    await by.press(insertion.getByRole('button', { name: 'Insert' }))
    await text.press('End')
    await by.press(page.getByRole('button', { name: 'Insert a short link' }))
    await by.write(page.getByLabel('Address', { exact: true }), 'https://orchard.example/pears')
    await by.write(page.getByLabel('Name in reports'), 'pears')
    // Enter sends the small form alone: the page is not saved, and not read anew.
    await page.keyboard.press('Enter')
    await page.getByLabel('Name in reports').waitFor({ state: 'detached' })
    await page.getByText('One character is not in GSM-7', { exact: false }).waitFor()
    await by.press(page.getByRole('button', { name: 'Replace all' }))
    const words = 'Pears... for {{ contact.Email }}{{ "https://orchard.example/pears" | tracked: "pears" }}'
    assert.equal(await text.inputValue(), words)

    await by.write(page.getByLabel('Sender', { exact: true }), 'no')
    await by.press(page.getByRole('button', { name: 'Save', exact: true }))
    const senderField = page.getByLabel('Sender', { exact: true })
    await page.locator('[aria-invalid=true]').first().waitFor()
    assert.equal(await senderField.getAttribute('aria-invalid'), 'true')
    await by.write(senderField, 'ORCHARD')
    await by.choose(box(page, 'Purpose'), 'Service')
    await by.choose(box(page, 'Alphabet'), 'Always GSM-7: other characters are replaced by similar ones')
    await by.choose(box(page, 'Route'), 'Premium: a named sender')
    await folded(page)
    await added(page, 'Countries', 'France')
    await page.getByRole('switch', { name: 'Urgent' }).check({ force: true })
    await by.write(page.getByLabel('Language of dates and numbers'), 'en-GB')
    await previewed(page, 'ada@', ADA)
    await page.getByText('Pears... for ada@orchard.example', { exact: false }).last().waitFor()
    await page.getByText('1 part', { exact: true }).waitFor()
    await save(by)
    const { content, settings } = await stage.get(id)
    const { sender: from, purpose, smsFormat, smsType, countries, priority, culture, field } = settings
    assert.deepEqual(
      { content, from, purpose, smsFormat, smsType, countries, priority, culture, field },
      {
        content: { textContent: words },
        from: 'ORCHARD',
        purpose: { type: 'service' },
        smsFormat: 1,
        smsType: 2,
        countries: ['FRA'],
        priority: true,
        culture: 'en-GB',
        field: phone,
      },
    )

    await addressed(by)
    await step(page, 'Test and send')
    await page.getByText('2 messages will be captured').waitFor()
    await by.choose(box(page, 'Test segment'), 'Testers')
    await by.write(page.getByLabel('Another number'), '+33699999999')
    await page.keyboard.press('Enter')
    await page.getByText('The test is under way').waitFor()
    await stage.settle()
    await page.getByText('The test has passed').waitFor()
    assert.deepEqual(
      gateway.sentSms.map(({ to, text: sent }) => [to, /Pears\.\.\. for ada@orchard\.example/.test(sent)]),
      [['+33699999999', true]],
    )
    await goesOut(by, gateway.sentSms)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a rich message is built with a card, suggestions and a fallback SMS, proofed, sent and followed', async () => {
    const { page, open, complaints, close } = await window()
    const by = mouse(page)
    await open('/messages/rcs')
    const id = await begun(by, 'rcs', 'New rich message', 'Pear week')
    await page.getByText('Card', { exact: true }).click()
    await by.write(page.getByLabel('Title', { exact: true }), 'Pears for {{ contact.Email }}')
    await by.write(page.getByRole('textbox', { name: 'Text', exact: true }), 'Until Sunday.')
    await by.press(page.getByRole('button', { name: 'Add a picture or video' }))
    await by.write(page.getByLabel('Address of the file'), 'https://img.orchard.example/pear.jpg')
    await by.write(page.getByLabel('Alternative text'), 'A pear')
    await by.press(page.getByRole('button', { name: 'Add a suggestion to the card' }))
    const ofCard = page.getByRole('region', { name: 'Suggestions of the card' })
    await by.write(ofCard.getByLabel('Suggestion text'), 'See them')
    await by.choose(ofCard.getByRole('combobox', { name: 'What it does' }), 'Open an address')
    await by.write(ofCard.getByLabel('Address', { exact: true }), 'https://orchard.example/pears')
    await by.write(ofCard.getByLabel('Value returned when tapped'), 'pears')
    await by.press(page.getByRole('button', { name: 'Add a suggestion', exact: true }))
    const below = page.getByRole('region', { name: 'Suggestions', exact: true })
    await by.write(below.getByLabel('Suggestion text'), 'Not now')
    await by.press(page.getByRole('button', { name: 'Add an SMS for phones it cannot reach' }))
    await by.write(page.getByRole('textbox', { name: 'Text of the SMS' }), 'Pears are in. STOP 36000')
    await by.write(page.getByLabel('Also if not delivered after', { exact: true }), '6')
    await by.choose(box(page, 'Agent'), 'Orchard France')
    await by.write(page.getByLabel('Expires after', { exact: true }), '2')
    await by.choose(page.getByLabel('Expires after: unit').first(), 'days')
    await folded(page)
    await by.choose(box(page, 'Traffic type'), 'Promotion')
    await previewed(page, 'ada@', ADA)
    await page.getByText('Pears for ada@orchard.example').last().waitFor()
    await page.getByText('Not now', { exact: true }).last().waitFor()
    await save(by)
    const read = async () => (await call('GET', `/channel/rcs/actions/${id}`)).body
    const { content, fallback, settings } = await read()
    assert.deepEqual(content, {
      type: 'card',
      orientation: 'VERTICAL',
      suggestions: [{ type: 'reply', text: 'Not now' }],
      card: {
        title: 'Pears for {{ contact.Email }}',
        description: 'Until Sunday.',
        media: { height: 'MEDIUM', file: { url: 'https://img.orchard.example/pear.jpg', alt: 'A pear' } },
        suggestions: [
          {
            type: 'openUrl',
            text: 'See them',
            postback: 'pears',
            tracked: true,
            url: 'https://orchard.example/pears',
          },
        ],
      },
    })
    assert.deepEqual(fallback, {
      type: 'sms',
      text: 'Pears are in. STOP 36000',
      after: { unit: 'HOUR', value: 6 },
    })
    assert.deepEqual(
      [settings.profile, settings.trafficType, settings.expiration],
      [profile, 'PROMOTION', { type: 'period', value: { unit: 'DAY', value: 2 } }],
    )
    await addressed(by)
    await step(page, 'Test and send')
    await previewed(page, 'ada@', ADA, 'Send test to')
    await by.press(page.getByRole('button', { name: 'Send test' }))
    await page.getByText('1 test is on its way').waitFor()
    await stage.settle()
    const bodies = () =>
      gateway.sentRcs.map(({ to, contentMessage }) => [to, contentMessage.includes('Pears for ada@')])
    assert.deepEqual(bodies(), [['+33612345678', true]])
    await goesOut(by, gateway.sentRcs)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a notification with versions is tested, activated, run, followed and deactivated', async () => {
    const { page, open, complaints, close } = await window()
    const by = mouse(page)
    await open('/messages/notification')
    const id = await begun(by, 'notification', 'New notification', 'Pears tonight')
    await by.choose(box(page, 'Application'), 'Orchard app')
    await by.write(page.getByLabel('Title', { exact: true }), 'Pears for {{ contact.Email }}')
    await by.write(page.getByRole('textbox', { name: 'Text', exact: true }), 'Until Sunday.')
    await by.write(page.getByLabel('Picture', { exact: true }), 'https://img.orchard.example/pear.jpg')
    await by.choose(box(page, 'When it is tapped'), 'A route of the application')
    await by.choose(box(page, 'Route'), 'Shop')
    await by.press(page.getByRole('button', { name: 'Add a button' }))
    await by.write(page.getByLabel('Button text'), 'See them')
    await by.press(page.getByRole('button', { name: 'Add a version' }))
    await by.write(page.getByLabel('Name of the version'), 'For Bob')
    await by.write(page.getByLabel('Title', { exact: true }), 'Pears, Bob')
    await by.write(page.getByRole('textbox', { name: 'Text', exact: true }), 'Yours.')
    await by.write(page.getByLabel('Condition'), 'contact.Email | nofilter == 1')
    await page.getByRole('switch', { name: 'Wake the phone' }).check({ force: true })
    await by.write(page.getByLabel('Expires after', { exact: true }), '12')
    await by.press(page.getByRole('button', { name: 'Save', exact: true }))
    await page.locator('[aria-invalid=true]').first().waitFor()
    assert.equal(await page.getByLabel('Condition').getAttribute('aria-invalid'), 'true')
    await by.write(page.getByLabel('Condition'), 'contact.Email == "bob@orchard.example"')
    await previewed(page, 'ada@', ADA)
    await page.getByText('All versions', { exact: true }).click()
    await page.getByText('Pears for ada@orchard.example').last().waitFor()
    await page.getByText('Pears, Bob').last().waitFor()
    await save(by)
    const read = async () => (await call('GET', `/notifications/${id}`)).body
    const { versions, settings } = await read()
    const plain = { icon: null, thumbnail: null, image: null, buttons: [] }
    assert.deepEqual(
      versions.map(({ id: _, ...rest }: { id: string }) => rest),
      [
        {
          name: null,
          master: true,
          condition: null,
          channel: null,
          redirection: { type: 'route', value: 'Shop' },
          content: {
            ...plain,
            title: 'Pears for {{ contact.Email }}',
            body: 'Until Sunday.',
            image: 'https://img.orchard.example/pear.jpg',
            buttons: [{ title: 'See them', redirection: null }],
          },
        },
        {
          name: 'For Bob',
          master: false,
          condition: 'contact.Email == "bob@orchard.example"',
          redirection: null,
          channel: null,
          content: { ...plain, title: 'Pears, Bob', body: 'Yours.' },
        },
      ],
    )
    assert.deepEqual(
      [settings.application, settings.urgent, settings.expiration],
      [application, true, { type: 'period', value: { unit: 'HOUR', value: 12 } }],
    )

    await addressed(by)
    await step(page, 'When')
    await page.getByLabel('On a recurring schedule').check()
    await by.write(page.getByLabel('Time', { exact: true }), '18:30')
    await added(page, 'Days of the week', 'Friday')
    await save(by)
    const { minute, hour, dayOfMonth, month, dayOfWeek } = (await read()).task.scheduler
    assert.deepEqual([minute, hour, dayOfMonth, month, dayOfWeek], ['30', '18', '*', '*', 'FRI'])
    await page.getByLabel('As soon as it is active').check()
    await save(by)
    assert.equal((await read()).task.scheduler.type, 'asap')

    await step(page, 'Test and send')
    await previewed(page, 'ada@', ADA, 'Send test to')
    await by.press(page.getByRole('button', { name: 'Send test' }))
    await page.getByText('1 test is on its way').waitFor()
    await stage.settle()
    const pushes = () => gateway.sentPushes.map(({ meta, render }) => [meta.subscription, render.title])
    const shown = 'Pears for ada@orchard.example'
    assert.deepEqual(pushes(), [[device, shown]])
    await validated(by)
    assert.equal((await read()).active, true)
    await startDueNotifications(context)
    await stage.settle()
    await finalizePushRuns(context)
    await page.getByRole('heading', { name: 'Progress' }).waitFor()
    await page.locator('main').getByText('1', { exact: true }).first().waitFor()
    assert.deepEqual(pushes(), [
      [device, shown],
      [device, shown],
    ])
    await by.press(page.getByRole('button', { name: 'Return to draft' }))
    await page.getByText('inactive', { exact: true }).first().waitFor()
    assert.equal((await read()).active, false)
    assert.deepEqual(complaints, [])
    await close()
  })
})
