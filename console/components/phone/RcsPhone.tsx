import {
  IconCalendarPlus,
  IconCurrentLocation,
  IconExternalLink,
  IconMapPin,
  IconMessage,
  IconPhone,
} from '@tabler/icons-react'
import { useTranslator } from '../../text/catalogue.ts'
import { PhoneMedia } from './PhoneMedia.tsx'
import styles from './PhoneScreen.module.css'
import { PhoneRow, PhoneScreen } from './PhoneScreen.tsx'
import { phoneTexts } from './texts.ts'

interface FilePart {
  contentInfo?: { fileUrl: string }
  uploadedRbmFile?: { fileName: string }
}

/** A rich message as RCS Business Messaging takes it, as far as it is drawn. */
export interface RcsPhoneMessage extends FilePart {
  text?: string
  richCard?: {
    standaloneCard?: { cardContent: RichCard; cardOrientation?: string; thumbnailImageAlignment?: string }
    carouselCard?: { cardContents: readonly RichCard[]; cardWidth?: string }
  }
  suggestions?: readonly RichSuggestion[]
}

interface RichCard {
  title?: string
  description?: string
  media?: FilePart & { height?: string }
  suggestions?: readonly RichSuggestion[]
}

const ACTION_ICONS = {
  openUrlAction: IconExternalLink,
  dialAction: IconPhone,
  viewLocationAction: IconMapPin,
  shareLocationAction: IconCurrentLocation,
  createCalendarEventAction: IconCalendarPlus,
  composeAction: IconMessage,
} as const

interface RichSuggestion {
  reply?: { text: string }
  action?: { text: string } & { [kind in keyof typeof ACTION_ICONS]?: object }
}

const findFileUrl = ({ contentInfo, uploadedRbmFile }: FilePart) => contentInfo?.fileUrl ?? uploadedRbmFile?.fileName

function SuggestionChip({ suggestion: { reply, action } }: { suggestion: RichSuggestion }) {
  const kind = (Object.keys(ACTION_ICONS) as (keyof typeof ACTION_ICONS)[]).find(
    (actionName) => action?.[actionName] !== undefined,
  )
  const ActionIcon = kind && ACTION_ICONS[kind]
  return (
    <li>
      {ActionIcon && <ActionIcon size={14} aria-hidden />}
      <bdi>{reply?.text ?? action?.text}</bdi>
    </li>
  )
}

function SuggestionList({
  suggestions = [],
  kind,
}: {
  suggestions?: readonly RichSuggestion[] | undefined
  kind: 'chips' | 'actions'
}) {
  if (suggestions.length === 0) return null
  return (
    <ul className={styles[kind]}>
      {suggestions.map((suggestion, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: suggestions may read alike.
        <SuggestionChip key={index} suggestion={suggestion} />
      ))}
    </ul>
  )
}

interface RichCardProps {
  card: RichCard
  /** Position of the picture: on top, or at a side. */
  side?: string | undefined
  width?: string | undefined
}

function RichCardView({ card: { media, title, description, suggestions }, side, width }: RichCardProps) {
  const mediaUrl = media && findFileUrl(media)
  return (
    <section className={styles['card']} data-side={side} data-width={width}>
      {mediaUrl !== undefined && <PhoneMedia address={mediaUrl} height={media?.height} />}
      <div className={styles['words']}>
        {title !== undefined && (
          <strong>
            <bdi>{title}</bdi>
          </strong>
        )}
        {description !== undefined && (
          <p>
            <bdi>{description}</bdi>
          </p>
        )}
      </div>
      <SuggestionList suggestions={suggestions} kind="actions" />
    </section>
  )
}

function MessageContent({ message }: { message: RcsPhoneMessage }) {
  const t = useTranslator(phoneTexts)
  const { richCard, text } = message
  const { standaloneCard: alone, carouselCard: carousel } = richCard ?? {}
  const attachmentUrl = findFileUrl(message)
  const imageSide = alone?.cardOrientation === 'HORIZONTAL' ? (alone.thumbnailImageAlignment ?? 'LEFT') : undefined
  return (
    <>
      {text !== undefined && (
        <p className={styles['bubble']}>
          <bdi>{text}</bdi>
        </p>
      )}
      {attachmentUrl !== undefined && <PhoneMedia address={attachmentUrl} />}
      {alone && <RichCardView card={alone.cardContent} side={imageSide} />}
      {carousel && (
        <div className={styles['carousel']} role="group" aria-label={t('cards')} tabIndex={0}>
          {carousel.cardContents.map((card, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: cards may read alike.
            <RichCardView key={index} card={card} width={carousel.cardWidth} />
          ))}
        </div>
      )}
      <SuggestionList suggestions={message.suggestions} kind="chips" />
    </>
  )
}

/** A rich message as the phones of both platforms show it. */
export function RcsPhonePreview({ message, from }: { message: RcsPhoneMessage; from: string }) {
  return (
    <PhoneRow>
      {(['android', 'ios'] as const).map((platform) => (
        <PhoneScreen key={platform} platform={platform} from={from}>
          <MessageContent message={message} />
        </PhoneScreen>
      ))}
    </PhoneRow>
  )
}
