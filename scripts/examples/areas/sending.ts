import type { Story } from '../story.ts'
import type { ShopTeam } from './people.ts'

const DOMAIN = 'news.harbourtea.example'

/** Before there is a gateway, messages are captured. */
async function capture({ call, disguise }: Story): Promise<void> {
  await call('sendTestMessage', { body: { channel: 'email', to: 'nora@harbourtea.example' } })
  const json = { accept: 'application/json' }
  const captured = await call('listCapturedMessages', { headers: json })
  disguise(captured[0].id, '20260907T092330000Z-00000000001')
  await call('getCapturedMessage', { path: { id: captured[0].id }, headers: json })
}

async function setUpDomain({ call, service }: Story, { owner: browser }: ShopTeam): Promise<void> {
  const domain = await call('createDomain', { body: { name: DOMAIN, default: true }, browser })
  const { zone } = service.peers.dns
  for (const { name, type, value } of domain.records)
    if (type === 'TXT' && value !== null) zone[name.toLowerCase()] = { txt: [value] }
  await call('checkDomain', { path: { name: DOMAIN }, browser })
  await call('getDomain', { path: { name: DOMAIN } })
  await call('createDomain', { body: { name: 'mail.harbourtea.example' }, browser, shown: false })
  await call('listDomains')
  await call('deleteDomain', { path: { name: 'mail.harbourtea.example' }, browser })
}

async function setUpGateways({ call, service, disguise }: Story, { owner: browser }: ShopTeam): Promise<string> {
  const { mail, sms } = service.peers
  disguise(String(mail.port), '587')
  disguise('127.0.0.1', 'smtp.provider.example')
  disguise('sink.test', 'smtp.provider.example')
  disguise(`http://127.0.0.1:${sms.port}`, 'https://api.sms-provider.example')
  const relay = {
    kind: 'smtp',
    channel: 'email',
    name: 'Mail provider',
    scope: 'account',
    settings: { host: '127.0.0.1', port: mail.port, tls: 'opportunistic', connections: 4 },
  }
  const { id } = await call('createGateway', { body: relay, browser })
  const texts = {
    kind: 'sms-http',
    name: 'SMS provider',
    settings: {
      method: 'POST',
      url: `http://127.0.0.1:${sms.port}/messages`,
      headers: { 'content-type': 'application/json', authorization: 'Bearer {{secret.token}}' },
      body: '{"to":"{{to}}","from":"{{from}}","text":"{{text}}"}',
      answer: { reference: { pointer: '/messages/0/id' } },
    },
    secrets: { token: 'tea-and-texts' },
  }
  const { callback } = await call('createGateway', { body: texts, browser, shown: false })
  await call('listGateways')
  await call('listGatewayKinds')
  await call('getGateway', { path: { id } })
  await call('updateGateway', { path: { id }, body: { settings: { connections: 8 } }, browser })
  await call('testGateway', { path: { id }, browser })
  const spare = { ...relay, name: 'Second mail provider' }
  const other = await call('createGateway', { body: spare, browser, shown: false })
  await call('deleteGateway', { path: { id: other.id }, browser })
  return callback.url ?? callback
}

async function changeSettings({ call }: Story): Promise<void> {
  const { profiles } = await call('getSendingSettings', { shown: false })
  const from = { prefix: 'hello', domain: DOMAIN, label: 'Harbour Tea' }
  const namedProfiles = profiles.map((profile: { id: number; channel: string }) =>
    profile.channel === 'email'
      ? { id: profile.id, name: 'Letters', channel: 'email', default: true, reply: 'hello@harbourtea.example', from }
      : { id: profile.id, name: 'Texts', channel: 'sms', default: true, sender: 'HARBOURTEA' },
  )
  await call('updateSendingSettings', {
    body: {
      culture: 'en-GB',
      testRequired: true,
      stopMention: 'STOP 36111',
      reportAddresses: ['nora@harbourtea.example'],
      archiveDays: 365,
      honeypotLink: true,
      profiles: namedProfiles,
      webAnalysers: [{ name: 'Shop statistics', parameters: { utm_source: 'stentor', utm_medium: 'email' } }],
    },
  })
  await call('getSendingSettings')
  await call('updateEventSettings', { body: { ip: 'truncated', retentionMonths: 25, stopWords: ['ARRET'] } })
  await call('getEventSettings')
}

/** Gives the address that the SMS provider calls back. */
export async function tellOfSending(story: Story, team: ShopTeam): Promise<{ smsCallback: string }> {
  await capture(story)
  await setUpDomain(story, team)
  const smsCallback = await setUpGateways(story, team)
  await changeSettings(story)
  await story.call('controlSendingQueue', { path: { destination: 'yahoo' }, body: { operation: 'hold' } })
  await story.call('controlSendingQueue', {
    path: { destination: 'yahoo' },
    body: { operation: 'release' },
    shown: false,
  })
  return { smsCallback }
}
