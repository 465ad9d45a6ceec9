import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'

type PromptArguments = Readonly<Record<string, string>>

/** A prompt and the text that it becomes with its arguments. */
interface McpPrompt {
  shown: Prompt
  buildText(args: PromptArguments): string
}

const CONFIRMATION_RULE =
  'Anything that sends or deletes returns a confirmation first: show me what it will do and to how many contacts, and continue only after I agree.'

const describeMessage = ({ id, kind = 'message' }: PromptArguments): string => `the message ${id} (kind ${kind})`

const kindArgument = {
  name: 'kind',
  description: 'Kind of the message: message (email and SMS, the default), rcs or notification.',
  required: false,
}

const writeCampaignPrompt: McpPrompt = {
  shown: {
    name: 'write_campaign',
    title: 'Write a campaign',
    description: 'Drafts a campaign from a goal, checks it and sends a proof.',
    arguments: [
      { name: 'goal', description: 'What the campaign is for, and for whom.', required: true },
      { name: 'channel', description: 'email (default), sms, rcs or notification.', required: false },
      { name: 'segment', description: 'ID or name of the segment to send to.', required: false },
    ],
  },
  buildText: ({ goal, channel = 'email', segment }) =>
    [
      `Write a campaign by ${channel}. Goal: ${goal}`,
      segment === undefined
        ? 'Suggest a segment: look at list_segments, and count new criteria with count_segment before you create one with save_segment.'
        : `Send it to the segment ${segment}: find it with find_objects and check it with describe_segment.`,
      'Look at the last campaigns with list_messages and message_report, and use what worked.',
      'Use only contact fields that list_fields shows. For email, begin with a design of list_designs; read_reference explains designs.',
      'Create the draft with draft_message, render it for one contact with render_message, and correct what message_findings reports.',
      'Show me the subject, the text and the number of recipients of message_audience. Then send a proof with test_message.',
      `Do not send the campaign unless I ask for it. ${CONFIRMATION_RULE}`,
    ].join('\n'),
}

const explainReportPrompt: McpPrompt = {
  shown: {
    name: 'explain_report',
    title: 'Explain a report',
    description: 'Explains the results of a message and what to do next.',
    arguments: [{ name: 'id', description: 'ID of the message.', required: true }, kindArgument],
  },
  buildText: (args) =>
    [
      `Explain the report of ${describeMessage(args)}.`,
      'Read it with message_report, and the message with read_message.',
      'Give the sent, refused and cancelled messages with the reasons, then opens, clicks, unsubscriptions, complaints and bounces as counts and as shares of the sent messages.',
      'Count opens and clicks by people, and mention those by robots separately: mail programs open messages by themselves.',
      'Compare with the last campaigns of the same channel in list_messages. For email, check read_deliverability for destinations that refuse messages.',
      'End with at most three suggestions, each with the figure that supports it.',
    ].join('\n'),
}

const whyNoMessagePrompt: McpPrompt = {
  shown: {
    name: 'why_no_message',
    title: 'Find why a contact got no message',
    description: 'Finds the reason why a contact did not get a message, or gets none.',
    arguments: [
      { name: 'contact', description: 'ID of the contact, or its unicity, such as its email address.', required: true },
      { name: 'id', description: 'ID of the message that the contact did not get.', required: false },
      kindArgument,
    ],
  },
  buildText: (args) =>
    [
      `Find out why the contact ${args['contact']} got no message${args['id'] === undefined ? '' : `: ${describeMessage(args)}`}.`,
      'Start with explain_contact, which lists the reasons on each channel, and contact_history, which shows what was sent, cancelled or bounced.',
      ...(args['id'] === undefined
        ? []
        : [
            'Read the message with read_message: was it sent, and is the contact in its segments (describe_segment)? message_report shows the cancelled messages by reason.',
          ]),
      'Give one reason, the event or setting that proves it, and what to change. If several reasons apply, start with the first that stops the message.',
      `Change nothing. To lift a suppression, tell me why the contact is on the list first. ${CONFIRMATION_RULE}`,
    ].join('\n'),
}

const mcpPrompts: readonly McpPrompt[] = [writeCampaignPrompt, explainReportPrompt, whyNoMessagePrompt]

/** The prompts as clients list them. */
export const shownPrompts: Prompt[] = mcpPrompts.map(({ shown }) => shown)

/** A prompt with its arguments. Throws invalid params for an unknown prompt, and for an argument that is missing or unknown. */
export function renderPrompt(name: string, args: PromptArguments): GetPromptResult {
  const prompt = mcpPrompts.find(({ shown }) => shown.name === name)
  if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt "${name}".`)
  const { arguments: knownArguments = [], description } = prompt.shown
  const missing = knownArguments.find((argument) => argument.required && !args[argument.name]?.trim())
  if (missing) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The argument "${missing.name}" is required.`)
  const unknown = Object.keys(args).find((argument) => !knownArguments.some((known) => known.name === argument))
  if (unknown !== undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no argument "${unknown}".`)
  const text = prompt.buildText(Object.fromEntries(Object.entries(args).filter(([, value]) => value.trim() !== '')))
  return { ...(description && { description }), messages: [{ role: 'user', content: { type: 'text', text } }] }
}
