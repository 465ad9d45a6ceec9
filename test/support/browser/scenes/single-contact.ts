import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'

const HTML = `<html><body style="margin:0;background:#f3efe6;font-family:Georgia,serif"><div style="max-width:560px;margin:32px auto;
padding:32px;background:#fff"><h1 style="font-size:26px">Ripe this week</h1><p>Pears, quinces and the last plums.</p>
<p><a href="https://orchard.example/pears">See the pears</a></p></div></body></html>`

let known: string | undefined

/** A contact that was written to, unsubscribed, bounced by SMS, and is near a limit. */
async function busy(stage: Stage): Promise<string> {
  known ??= await made(stage)
  return `/contacts/${known}`
}

const fieldsTab = async (stage: Stage): Promise<string> => `${await busy(stage)}?tab=fields`

async function made(stage: Stage): Promise<string> {
  const { call } = stage
  for (const field of [
    { type: 'textField', name: 'First name' },
    { type: 'phone', name: 'Mobile' },
    { type: 'date', name: 'Birthday' },
    { type: 'numeric', name: 'Points' },
    { type: 'textField', name: 'Shoe size' },
  ])
    await call('POST', '/fields', { body: field })
  const body = {
    Email: 'mirabelle@orchard.example',
    'First name': 'Mirabelle',
    Mobile: '+33612345678',
    Birthday: '1990-05-17',
    Points: 12431.5,
  }
  const { id } = (await call('POST', '/targets', { body })).body
  await stage.segment([id], { name: 'Newsletter' })
  await call('POST', '/segments', { body: { type: 'dynamic', name: 'Everybody', criteria: { all: [] } } })
  const expressions = [{ type: 'limit', count: 3, period: { type: 'rolling', unit: 'DAY', value: 7 } }]
  const rule = { label: 'Three a week', predicate: { type: 'and', expressions } }
  await call('POST', '/marketing/pressure/rules', { body: rule })
  const content = { subject: 'Ripe this week', html: HTML }
  const action = await stage.action({ name: 'Weekly letter', content })
  await stage.validated(action)
  await call('POST', `/actions/${action}/executions`, { body: { id } })
  await call('POST', `/actions/${action}/targets/${id}`, { body: {} })
  await stage.settle()
  await call('POST', `/targets/${id}/redlist/mail`, { body: { origin: 4 } })
  const { body: fields } = await call('GET', '/fields')
  const mobile = fields.find((field: { name: string }) => field.name === 'Mobile')
  const flag = { type: 52, detail: { message: 'absent subscriber' } }
  await call('PUT', `/targets/${id}/bounces/${mobile.id}`, { body: flag })
  await call('POST', `/actions/${action}/targets/${id}`, { body: {} })
  await stage.settle()
  return id
}

async function fresh({ contact }: Stage): Promise<string> {
  return `/contacts/${await contact('new@orchard.example')}`
}

const FILTER = { all: [{ type: 'creationDate', operator: 'within', value: { last: { value: 7, unit: 'day' } } }] }

export const scenes: Scene[] = [
  {
    name: 'contact-filter',
    path: `/contacts?filter=${encodeURIComponent(JSON.stringify(FILTER))}`,
    ready: (page) => page.getByText('creation date is in the last 7 days').waitFor(),
  },
  {
    name: 'contact-new',
    path: '/contacts',
    prepare: fresh,
    ready: (page) => page.getByText('No messages yet').waitFor(),
  },
  {
    name: 'contact',
    inReadme: true,
    path: '/contacts',
    prepare: busy,
    ready: (page) => page.getByText('Weekly letter').first().waitFor(),
  },
  {
    name: 'contact-fields',
    path: '/contacts',
    prepare: fieldsTab,
    ready: (page) => page.getByLabel('Shoe size').waitFor(),
  },
  {
    name: 'contact-unknown',
    path: '/contacts/00000ZZZ',
    ready: (page) => page.getByRole('alert').waitFor(),
  },
]
