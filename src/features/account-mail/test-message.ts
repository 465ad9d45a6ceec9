import { randomInt } from 'node:crypto'
import { composeMail, toMailPieces } from '../../channels/email/mime/mime.ts'
import { signMailOffThread } from '../../channels/email/mime/signing.ts'
import { resolveMailSender } from '../../channels/email/sender.ts'
import type { ProfiledChannelName } from '../../channels/facts.ts'
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

/** How long a person waits for the far side. */
const MOST_MS = 20_000

type TestContext = Pick<ServiceContext, 'db' | 'config' | 'masterKeys' | 'clock' | 'log'>

/** A message, and from whom it is. */
interface Made {
  from: string
  message: OutgoingMessage
}

interface Asked {
  account: AccountId
  to: string
  origin: MessageOrigin
}

const SUBJECT = 'Test message'
const TEXT = 'This is a test message. That you read it means that messages of this account leave, and arrive.'

/** What a mail of the account's default profile is, signed by the keys of its domain. */
async function makeMail(context: TestContext, { account, to, origin }: Asked): Promise<Made> {
  const { db, config, clock } = context
  const settings = await readSendingSettings(db, account)
  const { sender, errors } = resolveMailSender({}, null, settings, config.publicUrl)
  if (errors[0]) throw conflictProblem('sender', errors[0].message)
  const { prefix, domain, label } = sender.from
  const address = `${prefix}@${domain}`
  const { stamp } = origin
  const mail = composeMail({
    from: { address, label: label ?? '' },
    to: { address: to },
    subject: SUBJECT,
    timeMs: clock.now(),
    ...{ stamp, stampToken: stamp },
    purpose: 'service',
    content: { format: 3, text: TEXT },
    attachments: [],
  })
  if ('invalidAddress' in mail) throw badRequestProblem('/to', 'must be an address of a mailbox')
  const keys = await openSenderSigningKeys(context).of(account)
  const signed = await signMailOffThread(mail, keys.get(mail.domain) ?? [])
  const envelope = { from: '', to }
  const message = { id: randomInt(2 ** 40), envelope, bytes: toMailPieces(signed), smtputf8: mail.smtputf8, origin }
  return { from: address, message }
}

/** What an SMS of the account's default profile is. */
async function makeSms({ db, config }: TestContext, { account, to, origin }: Asked): Promise<Made> {
  const number = parseSmsNumber(to)
  if (number === undefined)
    throw badRequestProblem('/to', 'must be a telephone number with its plus sign: +33612345678')
  const settings = await readSendingSettings(db, account)
  const { agency, customer } = (await describeAccount(db, account)).identity
  const names = { named: `${agency}${customer}`, publicUrl: config.publicUrl }
  const asked = { purpose: { type: 'service' as const }, smsType: 1 as const, sendingProfile: null }
  const { sms } = resolveSmsSender(asked as Parameters<typeof resolveSmsSender>[0], settings, names)
  const from = formatSmsSender(sms?.sender ?? '')
  const fitted = fitSms(TEXT, 1, null)
  if (fitted.outcome === 'failed') throw new Error(fitted.message)
  const { text, encoding } = fitted
  return { from, message: { id: randomInt(2 ** 40), to: number.e164, from, text, encoding, origin } }
}

const makers: Readonly<Record<ProfiledChannelName, (context: TestContext, asked: Asked) => Promise<Made>>> = {
  email: makeMail,
  sms: makeSms,
}

function wordsOf(outcome: GatewayOutcome): string {
  return 'reply' in outcome ? outcome.reply : outcome.reason
}

/** One that was returned has no place now, as one that is deferred. */
const resultOf = ({ result }: GatewayOutcome): SendingTest['result'] => (result === 'returned' ? 'deferred' : result)

/**
 * Sends one message as the account would, and tells what the far side says within 20 s. It is no event, and nothing of it is
 * kept but what a gateway captures. Throws 400 at /to, conflict `sender`.
 */
export async function sendTestMessage(
  context: TestContext,
  account: AccountId,
  { channel, to }: { channel: ProfiledChannelName; to: string },
): Promise<SendingTest> {
  const stamp = createUuidV7(context.clock.now())
  const origin: MessageOrigin = { account, sourceKind: 'action', source: 0, stamp }
  const { from, message } = await makers[channel](context, { account, to, origin })
  const late = AbortSignal.timeout(MOST_MS)
  const { gateway, outcomes, stop } = await handOverToGateway(context, { account, channel, messages: [message] }, late)
  const [outcome] = outcomes
  const isCaptured = gateway.kind === 'capture' && outcome?.result === 'accepted'
  return {
    ...{ channel, to, from },
    result: outcome ? resultOf(outcome) : 'deferred',
    detail: outcome ? wordsOf(outcome) : (stop?.detail ?? ''),
    gateway: { name: gateway.name, kind: gateway.kind },
    captured: isCaptured ? outcome.reference : null,
  }
}
