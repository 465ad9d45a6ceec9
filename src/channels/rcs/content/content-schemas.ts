import { type Static, Type } from 'typebox'
import { SMS_SENDER_PATTERN } from '../../../lib/text/sms.ts'
import { buildTaggedUnion } from '../../../lib/type-tags.ts'

/** Characters of one template; what it renders to has limits of its own (`leaves.ts`). */
const MAX_TEMPLATE_LENGTH = 1_000_000

const TemplateText = Type.String({ maxLength: MAX_TEMPLATE_LENGTH })
const OptionalTemplate = Type.Optional(TemplateText)

const chipMembers = { text: TemplateText, postback: OptionalTemplate }
const actionMembers = { ...chipMembers, fallbackUrl: OptionalTemplate }
const buildDateTemplate = (description: string) =>
  Type.Union([TemplateText, Type.Integer({ description: 'milliseconds since 1970' })], { description })

const ReplySuggestion = Type.Object({ type: Type.Literal('reply'), ...chipMembers })
const OpenUrlSuggestion = Type.Object({
  type: Type.Literal('openUrl'),
  ...actionMembers,
  url: TemplateText,
  tracked: Type.Optional(Type.Boolean({ description: 'true (the default): the address is that of a redirect' })),
  application: Type.Optional(Type.Enum(['BROWSER', 'WEBVIEW'], { description: 'where the address is opened' })),
  webviewViewMode: Type.Optional(Type.Enum(['FULL', 'HALF', 'TALL'], { description: 'how high the web view is' })),
  description: OptionalTemplate,
})
const DialSuggestion = Type.Object({ type: Type.Literal('dial'), ...actionMembers, phoneNumber: TemplateText })
const ViewLocationSuggestion = Type.Object({
  type: Type.Literal('viewLocation'),
  ...actionMembers,
  latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  label: OptionalTemplate,
  query: OptionalTemplate,
})
const ShareLocationSuggestion = Type.Object({ type: Type.Literal('shareLocation'), ...actionMembers })
const CalendarEventSuggestion = Type.Object({
  type: Type.Literal('createCalendarEvent'),
  ...actionMembers,
  startTime: buildDateTemplate('when it begins, ISO 8601 or milliseconds since 1970'),
  endTime: buildDateTemplate('when it ends, ISO 8601 or milliseconds since 1970'),
  title: TemplateText,
  description: OptionalTemplate,
})
const ComposeSuggestion = Type.Object({
  type: Type.Literal('compose'),
  ...actionMembers,
  phoneNumber: TemplateText,
  message: OptionalTemplate,
  recording: Type.Optional(Type.Enum(['AUDIO', 'VIDEO'], { description: 'what is recorded, in place of a text' })),
})

const suggestionSchemas = [
  ReplySuggestion,
  OpenUrlSuggestion,
  DialSuggestion,
  ViewLocationSuggestion,
  ShareLocationSuggestion,
  CalendarEventSuggestion,
  ComposeSuggestion,
]

/** A suggestion that can be tapped below a message or on a card. */
export const RcsSuggestion = buildTaggedUnion(suggestionSchemas)
export type RcsSuggestion = Static<(typeof suggestionSchemas)[number]>

const messageMembers = { suggestions: Type.Optional(Type.Array(RcsSuggestion, { maxItems: 11 })) }

export const RcsFileContent = Type.Object({
  url: OptionalTemplate,
  thumbnailUrl: OptionalTemplate,
  forceRefresh: Type.Optional(Type.Boolean({ description: 'whether the file is fetched again where one is kept' })),
  fileName: OptionalTemplate,
  thumbnailName: OptionalTemplate,
  alt: OptionalTemplate,
})
export type RcsFileContent = Static<typeof RcsFileContent>

export const RcsCard = Type.Object({
  title: OptionalTemplate,
  description: OptionalTemplate,
  media: Type.Optional(
    Type.Object({
      height: Type.Enum(['SHORT', 'MEDIUM', 'TALL'], { description: 'how high the picture is' }),
      file: RcsFileContent,
    }),
  ),
  suggestions: Type.Optional(Type.Array(RcsSuggestion, { maxItems: 4 })),
})
export type RcsCard = Static<typeof RcsCard>

const TextContent = Type.Object({
  type: Type.Literal('text'),
  text: TemplateText,
  ...messageMembers,
  persistent: Type.Optional(Type.Boolean({ description: 'the suggestions stay in view; default false' })),
})
const FileContent = Type.Object({ type: Type.Literal('file'), file: RcsFileContent, ...messageMembers })
const CardContent = Type.Object({
  type: Type.Literal('card'),
  orientation: Type.Enum(['VERTICAL', 'HORIZONTAL'], {
    description: 'whether picture and text stand one below the other or side by side',
  }),
  alignment: Type.Optional(Type.Enum(['LEFT', 'RIGHT'], { description: 'required with HORIZONTAL' })),
  card: RcsCard,
  ...messageMembers,
})
const CarouselContent = Type.Object({
  type: Type.Literal('carousel'),
  width: Type.Enum(['SMALL', 'MEDIUM'], { description: 'how wide the cards are' }),
  cards: Type.Array(RcsCard, { minItems: 2, maxItems: 10, description: '2 to 10 cards, side by side' }),
  ...messageMembers,
})

const contentSchemas = [TextContent, FileContent, CardContent, CarouselContent]

/** The content of an RCS message, distinguished by `type`. Every string is a template. */
export const RcsMessageContent = buildTaggedUnion(contentSchemas)
export type RcsMessageContent = Static<(typeof contentSchemas)[number]>

export const rcsPeriodUnits = ['MILLISECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const

export const RcsPeriod = Type.Object({
  unit: Type.Enum([...rcsPeriodUnits]),
  value: Type.Integer({ minimum: 0, maximum: 0x7fffffff }),
})
export type RcsPeriod = Static<typeof RcsPeriod>

/** Maximum time a message may wait for delivery: 10 seconds to 15 days in total. */
export const RcsExpiration = Type.Object({ type: Type.Literal('period'), value: RcsPeriod })
export type RcsExpiration = Static<typeof RcsExpiration>

/** The SMS that goes out where the rich message does not arrive. */
export const RcsFallback = Type.Object({
  type: Type.Literal('sms'),
  text: Type.String({ maxLength: MAX_TEMPLATE_LENGTH, description: 'a template' }),
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
