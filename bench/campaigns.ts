import { sendProof } from '../scripts/demo/campaign.ts'
import type { Client } from '../scripts/demo/client.ts'
import { letterHtml } from './letter.ts'

/** Whose name a campaign is sent in, and more of its settings. */
interface Prepared {
  domain?: string | undefined
  settings?: object
}

/** Makes a campaign of the letter to a segment, and tests it; gives its id. What is left is to validate it. */
export async function prepareCampaign(
  client: Client,
  segment: number,
  { domain, settings }: Prepared = {},
): Promise<string> {
  const { id } = await client.call<{ id: string }>('POST', '/actions', {
    type: 'mailCampaign',
    name: 'bench',
    settings: { contentFormat: 1, ...settings },
    content: {
      headers: { from: { prefix: 'letter', label: 'The Orchard', ...(domain && { domain }) } },
      subject: '{{ contact["First name"] }}, the pears are in',
      html: letterHtml(),
    },
    scheduler: { type: 'asap', segments: { selected: [segment] } },
  })
  await sendProof(client, id)
  return id
}
