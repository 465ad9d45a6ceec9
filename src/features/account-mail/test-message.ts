import { randomInt } from 'node:crypto'
import type { ProfiledChannelName } from '../../channels/channel-traits.ts'
import { composeMail, toMailPieces } from '../../channels/email/mime/mime.ts'
import { signMailOffThread } from '../../channels/email/mime/signing.ts'
import { resolveMailSender } from '../../channels/email/sender.ts'
import { fitSms } from '../../channels/sms/fit.ts'
import { formatSmsSender, parseSmsNumber } from '../../channels/sms/number.ts'
import { resolveSmsSender } from '../../channels/sms/sender.ts'
import type { ServiceContext } from '../../context.ts'
import type { GatewayOutcome, MessageOrigin, OutgoingMessage } from '../../gateways/gateway.ts'
import type { AccountId } from '../../lib/account.ts'
import { badRequestProblem, conflictProblem } from '../../lib/errors/problem.ts'
import { createUuidV7 } from '../../lib/ids.ts'
import { openSenderSigningKeys } from '../../sending/prepare/signing-keys.ts'
import { describeAccount } from '../accounts/accounts.ts'
import { readSendingSettings } from '../accounts/sending-settings.ts'
import { handOverToGateway } from './account-mail.ts'
import type { SendingTest } from './test-schemas.ts'

/** Maximum time the user waits for the recipient's server. */
const SEND_TIMEOUT_MS = 20_000

type TestMessageContext = Pick<ServiceContext, 'db' | 'config' | 'masterKeys' | 'clock' | 'log'>

/** A message, and from whom it is. */
interface BuiltMessage {
  from: string
  message: OutgoingMessage
}

interface TestMessageRequest {
  account: AccountId
  to: string
  origin: MessageOrigin
}

const TEST_SUBJECT = 'Test message'
const TEST_TEXT = 'This is a test message. If you can read it, this account can send messages.'

/** Builds a mail of the account's default profile, signed with the keys of its domain. */
async function buildTestMail(
  context: TestMessageContext,
  { account, to, origin }: TestMessageRequest,
): Promise<BuiltMessage> {
  const { db, config, clock } = context
  const settings = await readSendingSettings(db, account)
  const { sender, errors } = resolveMailSender({}, null, settings, config.publicUrl)
  if (errors[0]) throw conflictProblem('sender', errors[0].message)
  const { prefix, domain, label } = sender.from
  const address = `${prefix}@${domain}`
  const { stamp } = origin
  const composedMail = composeMail({
    from: { address, label: label ?? '' },
    to: { address: to },
    subject: TEST_SUBJECT,
    timeMs: clock.now(),
    stamp,
    stampToken: stamp,
    purpose: 'service',
    content: { format: 3, text: TEST_TEXT },
    attachments: [],
  })
  if ('invalidAddress' in composedMail) throw badRequestProblem('/to', 'must be an email address')
  const signingKeys = await openSenderSigningKeys(context).of(account)
  const signedMail = await signMailOffThread(composedMail, signingKeys.get(composedMail.domain) ?? [])
  const envelope = { from: '', to }
  const message = {
    id: randomInt(2 ** 40),
    envelope,
    bytes: toMailPieces(signedMail),
    smtputf8: composedMail.smtputf8,
    origin,
  }
  return { from: address, message }
}

/** Builds an SMS of the account's default profile. */
async function buildTestSms(
  { db, config }: TestMessageContext,
  { account, to, origin }: TestMessageRequest,
): Promise<BuiltMessage> {
  const recipientNumber = parseSmsNumber(to)
  if (recipientNumber === undefined)
    throw badRequestProblem('/to', 'must be a phone number with a plus sign, such as +33639980078')
  const settings = await readSendingSettings(db, account)
  const { agency, customer } = (await describeAccount(db, account)).identity
  const accountNames = { named: `${agency}${customer}`, publicUrl: config.publicUrl }
  const smsOptions = { purpose: { type: 'service' as const }, smsType: 1 as const, sendingProfile: null }
  const { sms } = resolveSmsSender(smsOptions as Parameters<typeof resolveSmsSender>[0], settings, accountNames)
  const senderName = formatSmsSender(sms?.sender ?? '')
  const fittedText = fitSms(TEST_TEXT, 1, null)
  if (fittedText.outcome === 'failed') throw new Error(fittedText.message)
  const { text, encoding } = fittedText
  return {
    from: senderName,
    message: { id: randomInt(2 ** 40), to: recipientNumber.e164, from: senderName, text, encoding, origin },
  }
}

const messageBuilders: Readonly<
  Record<ProfiledChannelName, (context: TestMessageContext, request: TestMessageRequest) => Promise<BuiltMessage>>
> = {
  email: buildTestMail,
  sms: buildTestSms,
}

function describeOutcome(outcome: GatewayOutcome): string {
  return 'reply' in outcome ? outcome.reply : outcome.reason
}

/** One that was returned has no place now, as one that is deferred. */
const toTestResult = ({ result }: GatewayOutcome): SendingTest['result'] =>
  result === 'returned' ? 'deferred' : result

/**
 * Sends one message as the account would, and returns the answer of the recipient's server within 20 s. It records no event and stores
 * nothing except what a gateway captures. Throws 400 at /to, conflict `sender`.
 */
export async function sendTestMessage(
  context: TestMessageContext,
  account: AccountId,
  { channel, to }: { channel: ProfiledChannelName; to: string },
): Promise<SendingTest> {
  const messageStamp = createUuidV7(context.clock.now())
  const origin: MessageOrigin = { account, sourceKind: 'action', source: 0, stamp: messageStamp }
  const { from, message } = await messageBuilders[channel](context, { account, to, origin })
  const timeoutSignal = AbortSignal.timeout(SEND_TIMEOUT_MS)
  const {
    gateway,
    outcomes,
    stop: stopReason,
  } = await handOverToGateway(context, { account, channel, messages: [message] }, timeoutSignal)
  const [outcome] = outcomes
  const isCaptured = gateway.kind === 'capture' && outcome?.result === 'accepted'
  return {
    channel,
    to,
    from,
    result: outcome ? toTestResult(outcome) : 'deferred',
    detail: outcome ? describeOutcome(outcome) : (stopReason?.detail ?? ''),
    gateway: { name: gateway.name, kind: gateway.kind },
    captured: isCaptured ? outcome.reference : null,
  }
}
