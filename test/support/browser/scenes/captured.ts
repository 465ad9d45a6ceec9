import { writeCapturedMessage } from '../../../../src/gateways/capture/files.ts'
import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'

const path = '/captured'

const html = `<div style="max-width:600px;margin:0 auto;font:16px/24px Georgia,serif;color:#2b2b2b">
<h1 style="color:#8a1c1c">Apples are in</h1><p>Dear Ann, the first Bramleys came off the trees this morning.</p>
<img src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Crect width='600' height='120' fill='%23c9a'/%3E%3C/svg%3E" alt="Apples" width="560" height="120">
<p><a href="https://orchard.example/apples" style="background:#8a1c1c;color:#fff;padding:10px 18px">See them</a></p></div>`

const mail = Buffer.from(
  [
    'From: Orchard <news@orchard.example>',
    'To: ann@customer.example',
    'Subject: Apples are in',
    'List-Unsubscribe: <https://orchard.example/u>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Apples are in',
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    html,
    '--b--',
  ].join('\r\n'),
)

type Message = Parameters<typeof writeCapturedMessage>[1]

/** Keeps a message as the capture gateway does; answers where it is read. */
async function capture({ dataDir, own }: Stage, message: object, minutesAgo: number): Promise<string> {
  const stamp = '019512a0-7c11-7d2e-9a42-0c1de0a5b001'
  const origin = { account: own.account, sourceKind: 'action', source: 7, stamp }
  const id = await writeCapturedMessage(dataDir, { ...message, origin } as Message, Date.now() - minutesAgo * 60_000)
  return `${path}?id=${id}`
}

const sms = { id: 3, to: '+33639980012', from: 'ORCHARD', encoding: 'gsm7' as const }
const push = {
  id: 5,
  device: { token: 't' },
  meta: { application: 'orchard-app', subscription: '019512a0-7c11-7d2e-9a42-0c1de0a5b777', stamp: {} },
  render: { title: 'Apples are in', body: 'The first Bramleys came this morning.', buttons: [{ title: 'See them' }] },
  tracking: {},
  expiresAt: 0,
}
const card = (title: string) => ({
  title,
  description: 'From the north orchard.',
  media: { height: 'SHORT', contentInfo: { fileUrl: 'https://pictures.orchard.example/a.jpg' } },
  suggestions: [{ action: { text: 'Order' } }],
})
const rich = {
  richCard: { carouselCard: { cardWidth: 'MEDIUM', cardContents: [card('Bramley'), card('Cox')] } },
  suggestions: [{ reply: { text: 'Not now' } }, { action: { text: 'Call the farm' } }],
}

export const scenes: Scene[] = [
  { name: 'captured-empty', path, ready: (page) => page.getByRole('link', { name: 'Send test' }).waitFor() },
  {
    name: 'captured-mail',
    path,
    prepare: async (stage) => {
      await capture(stage, { ...sms, text: `Apples are in! ${'See orchard.example/apples '.repeat(6)}` }, 9)
      const envelope = { from: 'bounce@orchard.example', to: 'ann@customer.example' }
      return capture(stage, { id: 12, envelope, bytes: mail }, 4)
    },
    ready: (page) =>
      page.frameLocator('iframe').frameLocator('iframe').getByRole('heading', { name: 'Apples are in' }).waitFor(),
  },
  {
    name: 'captured-headers',
    path: `${path}?channel=email`,
    ready: async (page) => {
      await page.getByRole('link', { name: 'Apples are in' }).click()
      await page.getByText('Headers').click()
      await page.getByRole('rowheader', { name: 'list-unsubscribe' }).waitFor()
    },
  },
  {
    name: 'captured-sms',
    path,
    prepare: (stage) =>
      capture(stage, { ...sms, id: 4, text: `Äpfel sind da! ${'🍎 '.repeat(30)}`, encoding: 'ucs2' }, 3),
    ready: (page) => page.getByText('2 parts').waitFor(),
  },
  {
    name: 'captured-push',
    path,
    prepare: (stage) => capture(stage, push, 2),
    ready: (page) => page.getByText('iOS').waitFor(),
  },
  {
    name: 'captured-rcs',
    path,
    prepare: (stage) =>
      capture(stage, { id: 6, agent: 'orchard_fr', to: '+33639980012', contentMessage: JSON.stringify(rich) }, 1),
    ready: (page) => page.getByText('Call the farm').first().waitFor(),
  },
  {
    name: 'captured-broken',
    path,
    refused: '/captured',
    ready: (page) => page.getByRole('alert').getByText('This is broken for the picture').waitFor(),
  },
]
