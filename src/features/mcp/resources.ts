import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server'
import { Problem } from '../../lib/errors/problem.ts'
import { buildApiPath, type McpApiCaller, readApiResource } from './ask.ts'
import { findReferencePage, listReferencePages } from './reference-pages.ts'
import { isMcpMessageKind, mcpMessagePath, summarizeMessages } from './tools/kinds.ts'
import { summarizeSegments } from './tools/segments.ts'
import { wrapUntrusted } from './untrusted.ts'

const URI_SCHEME = 'stentor://'
const JSON_TYPE = 'application/json'
const MARKDOWN_TYPE = 'text/markdown'
/** Campaigns of the resource of the last ones. */
const LAST_CAMPAIGNS = 20
/** Segments of the resource of all. */
const MAX_SEGMENTS = 500

const dataResources: readonly Resource[] = [
  {
    uri: `${URI_SCHEME}segments`,
    name: 'segments',
    title: 'Segments',
    description: 'The segments of the account with their numbers of contacts.',
    mimeType: JSON_TYPE,
  },
  {
    uri: `${URI_SCHEME}campaigns`,
    name: 'campaigns',
    title: 'Last campaigns',
    description: `The last ${LAST_CAMPAIGNS} campaigns by email, SMS and RCS, with their results.`,
    mimeType: JSON_TYPE,
  },
]

/** Patterns of resources that are not listed one by one. */
export const resourceTemplates: ResourceTemplateType[] = [
  {
    uriTemplate: `${URI_SCHEME}docs/{folder}/{page}`,
    name: 'docs',
    title: 'Documentation',
    description: 'A page of the documentation, such as stentor://docs/reference/workflows.',
    mimeType: MARKDOWN_TYPE,
  },
  {
    uriTemplate: `${URI_SCHEME}segments/{id}`,
    name: 'segment',
    title: 'Segment',
    description: 'A segment with its criteria.',
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: `${URI_SCHEME}reports/{kind}/{id}`,
    name: 'report',
    title: 'Report of a message',
    description: 'The results of a message; its kind is message (email and SMS), rcs or notification.',
    mimeType: JSON_TYPE,
  },
]

/** The resources that clients list: those with data, and the pages of the documentation. */
export async function listMcpResources(): Promise<Resource[]> {
  const pages = await listReferencePages()
  return [
    ...dataResources,
    ...pages.map(({ path, title, summary }) => ({
      uri: `${URI_SCHEME}docs/${path}`,
      name: path,
      title,
      description: summary,
      mimeType: MARKDOWN_TYPE,
    })),
  ]
}

interface ListedMessage {
  informations?: { creationDate?: string }
}

/** The last campaigns of all channels that have them, newest first, with short reports. */
async function readLastCampaigns(ask: McpApiCaller): Promise<object[]> {
  const query = { report: true, sort: '-creationDate', limit: LAST_CAMPAIGNS }
  const lists = await Promise.all([
    readApiResource<ListedMessage[]>(ask, '/actions', { ...query, type: 'mailCampaign,smsCampaign' }),
    readApiResource<ListedMessage[]>(ask, '/channel/rcs/actions', { ...query, type: 'rcsCampaign' }),
  ])
  const createdAt = ({ informations }: ListedMessage) => Date.parse(informations?.creationDate ?? '') || 0
  const newest = lists.flat().sort((one, other) => createdAt(other) - createdAt(one))
  return summarizeMessages(newest.slice(0, LAST_CAMPAIGNS))
}

/** The data that a URI names; absent for an unknown one. */
async function readResourceData(ask: McpApiCaller, parts: readonly string[]): Promise<unknown> {
  const [collection, first, second] = parts
  if (collection === 'segments' && parts.length === 1)
    return summarizeSegments(await readApiResource<object[]>(ask, '/segments', { limit: MAX_SEGMENTS }))
  if (collection === 'segments' && first && parts.length === 2)
    return readApiResource(ask, buildApiPath`/segments/${first}`)
  if (collection === 'campaigns' && parts.length === 1) return readLastCampaigns(ask)
  if (collection === 'reports' && first && second && parts.length === 3 && isMcpMessageKind(first))
    return readApiResource(ask, `${mcpMessagePath({ kind: first, id: second })}/report`)
  return undefined
}

/** The content of a resource. Throws resource not found, or invalid params with the reason of the interface. */
export async function readMcpResource(ask: McpApiCaller, uri: string): Promise<ReadResourceResult> {
  if (!uri.startsWith(URI_SCHEME)) throw new ResourceNotFoundError(uri)
  const parts = uri.slice(URI_SCHEME.length).split('/')
  if (parts[0] === 'docs') {
    const text = await findReferencePage(parts.slice(1).join('/'))
    if (text === undefined) throw new ResourceNotFoundError(uri)
    return { contents: [{ uri, mimeType: MARKDOWN_TYPE, text }] }
  }
  try {
    const data = await readResourceData(ask, parts)
    if (data === undefined) throw new ResourceNotFoundError(uri)
    return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(wrapUntrusted(data)) }] }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.status === 404) throw new ResourceNotFoundError(uri)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.detail)
  }
}
