import { type Static, Type } from 'typebox'
import { buildTaggedUnion } from '../../../lib/tagged.ts'
import { SMS_SENDER_PATTERN } from '../../../lib/text/sms.ts'

/** Characters of one template; what it renders to has limits of its own (`leaves.ts`). */
const TEMPLATE_LIMIT = 1_000_000

const Template = Type.String({ maxLength: TEMPLATE_LIMIT })
const optional = Type.Optional(Template)

const chip = { text: Template, postback: optional }
const action = { ...chip, fallbackUrl: optional }
const DateTemplate = (description: string) =>
  Type.Union([Template, Type.Integer({ description: 'milliseconds since 1970' })], { description })

const Reply = Type.Object({ type: Type.Literal('reply'), ...chip })
const OpenUrl = Type.Object({
  type: Type.Literal('openUrl'),
  ...action,
  url: Template,
  tracked: Type.Optional(Type.Boolean({ description: 'true (the default): the address is that of a redirect' })),
  application: Type.Optional(Type.Enum(['BROWSER', 'WEBVIEW'], { description: 'where the address is opened' })),
  webviewViewMode: Type.Optional(Type.Enum(['FULL', 'HALF', 'TALL'], { description: 'how high the web view is' })),
  description: optional,
})
const Dial = Type.Object({ type: Type.Literal('dial'), ...action, phoneNumber: Template })
const ViewLocation = Type.Object({
  type: Type.Literal('viewLocation'),
  ...action,
  latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  label: optional,
  query: optional,
})
const ShareLocation = Type.Object({ type: Type.Literal('shareLocation'), ...action })
const CreateCalendarEvent = Type.Object({
  type: Type.Literal('createCalendarEvent'),
  ...action,
  startTime: DateTemplate('when it begins, ISO 8601 or milliseconds since 1970'),
  endTime: DateTemplate('when it ends, ISO 8601 or milliseconds since 1970'),
  title: Template,
  description: optional,
})
const Compose = Type.Object({
  type: Type.Literal('compose'),
  ...action,
  phoneNumber: Template,
  message: optional,
  recording: Type.Optional(Type.Enum(['AUDIO', 'VIDEO'], { description: 'what is recorded, in place of a text' })),
})

const suggestions = [Reply, OpenUrl, Dial, ViewLocation, ShareLocation, CreateCalendarEvent, Compose]

/** What may be tapped beside a message or on a card. */
export const RcsSuggestion = buildTaggedUnion(suggestions)
export type RcsSuggestion = Static<(typeof suggestions)[number]>

const ofMessage = { suggestions: Type.Optional(Type.Array(RcsSuggestion, { maxItems: 11 })) }

export const RcsFileContent = Type.Object({
  url: optional,
  thumbnailUrl: optional,
  forceRefresh: Type.Optional(Type.Boolean({ description: 'whether the file is fetched again where one is kept' })),
  fileName: optional,
  thumbnailName: optional,
  alt: optional,
})
export type RcsFileContent = Static<typeof RcsFileContent>

export const RcsCard = Type.Object({
  title: optional,
  description: optional,
  media: Type.Optional(
    Type.Object({
      height: Type.Enum(['SHORT', 'MEDIUM', 'TALL'], { description: 'how high the picture is' }),
      file: RcsFileContent,
    }),
  ),
  suggestions: Type.Optional(Type.Array(RcsSuggestion, { maxItems: 4 })),
})
export type RcsCard = Static<typeof RcsCard>

const Text = Type.Object({
  type: Type.Literal('text'),
  text: Template,
  ...ofMessage,
  persistent: Type.Optional(Type.Boolean({ description: 'the suggestions stay in view; default false' })),
})
const File = Type.Object({ type: Type.Literal('file'), file: RcsFileContent, ...ofMessage })
const Card = Type.Object({
  type: Type.Literal('card'),
  orientation: Type.Enum(['VERTICAL', 'HORIZONTAL'], {
    description: 'whether picture and text stand one below the other or side by side',
  }),
  alignment: Type.Optional(Type.Enum(['LEFT', 'RIGHT'], { description: 'required with HORIZONTAL' })),
  card: RcsCard,
  ...ofMessage,
})
const Carousel = Type.Object({
  type: Type.Literal('carousel'),
  width: Type.Enum(['SMALL', 'MEDIUM'], { description: 'how wide the cards are' }),
  cards: Type.Array(RcsCard, { minItems: 2, maxItems: 10, description: '2 to 10 cards, side by side' }),
  ...ofMessage,
})

const contents = [Text, File, Card, Carousel]

/** The content of an RCS message, distinguished by `type`. Every string is a template. */
export const RcsMessageContent = buildTaggedUnion(contents)
export type RcsMessageContent = Static<(typeof contents)[number]>

export const rcsPeriodUnits = ['MILLISECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const

export const RcsPeriod = Type.Object({
  unit: Type.Enum([...rcsPeriodUnits]),
  value: Type.Integer({ minimum: 0, maximum: 0x7fffffff }),
})
export type RcsPeriod = Static<typeof RcsPeriod>

/** How long a message may wait to be delivered: 10 seconds to 15 days in all. */
export const RcsExpiration = Type.Object({ type: Type.Literal('period'), value: RcsPeriod })
export type RcsExpiration = Static<typeof RcsExpiration>

/** The SMS that goes out where the rich message does not arrive. */
export const RcsFallback = Type.Object({
  type: Type.Literal('sms'),
  text: Type.String({ maxLength: TEMPLATE_LIMIT, description: 'a template' }),
  sender: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], pattern: SMS_SENDER_PATTERN })),
  after: Type.Optional(
    Type.Unsafe<RcsPeriod | null>({
      ...RcsPeriod,
      type: ['object', 'null'],
      description: 'how long a delivery is waited for; null: until the message has failed',
    }),
  ),
})
export type RcsFallback = Static<typeof RcsFallback>

/** The content of an RCS action as a version keeps it. */
export interface RcsVersionContent {
  content: RcsMessageContent
  fallback: RcsFallback | null
}
