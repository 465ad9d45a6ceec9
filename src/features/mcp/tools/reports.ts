import { Type } from 'typebox'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { readApiResource } from '../ask.ts'
import { findReferencePage, listReferencePages } from '../reference-pages.ts'
import { defineMcpTool, mcpPeriod, toolArguments } from '../tool.ts'
import { wrapUntrusted } from '../untrusted.ts'
import { mcpMessagePath, mcpMessageReference } from './kinds.ts'

const messageReportTool = defineMcpTool({
  name: 'message_report',
  title: 'Read the report of a message',
  description:
    'Reads the results of a message: what was sent, refused and cancelled, opens, clicks and unsubscriptions.',
  effect: 'reads',
  input: toolArguments({ ...mcpMessageReference, ...mcpPeriod }),
  async run({ ask }, { start, end, ...reference }) {
    return { report: wrapUntrusted(await readApiResource(ask, `${mcpMessagePath(reference)}/report`, { start, end })) }
  },
})

const readOverviewTool = defineMcpTool({
  name: 'read_overview',
  title: 'Read the overview of the account',
  description:
    'Reads what is running, planned, waiting for approval or failed, and the last campaigns with their results.',
  effect: 'reads',
  input: toolArguments({}),
  run: async ({ ask }) => ({ overview: wrapUntrusted(await readApiResource(ask, '/overview')) }),
})

const readDeliverabilityTool = defineMcpTool({
  name: 'read_deliverability',
  title: 'Read the deliverability of email',
  description:
    'Reads sent, refused and bounced email and complaints by destination, for at most 31 days; by default the last 7.',
  effect: 'reads',
  input: toolArguments(mcpPeriod),
  async run({ ask }, { start, end }) {
    return { deliverability: wrapUntrusted(await readApiResource(ask, '/deliverability', { start, end })) }
  },
})

const readReferenceTool = defineMcpTool({
  name: 'read_reference',
  title: 'Read the documentation',
  description: 'Lists the pages of the documentation or, with `page`, reads one.',
  effect: 'reads',
  input: toolArguments({
    page: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Page, such as `reference/workflows` or `workflows`.' }),
    ),
  }),
  async run(_desk, { page }) {
    if (page === undefined) return { pages: await listReferencePages() }
    const text = await findReferencePage(page)
    if (text === undefined) throw notFoundProblem('page', page)
    return { page, text }
  },
})

/** Tools that read results and the documentation. */
export const mcpReportTools = [messageReportTool, readOverviewTool, readDeliverabilityTool, readReferenceTool]
