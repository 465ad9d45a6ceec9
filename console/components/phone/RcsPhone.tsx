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

const ICONS = {
  openUrlAction: IconExternalLink,
  dialAction: IconPhone,
  viewLocationAction: IconMapPin,
  shareLocationAction: IconCurrentLocation,
  createCalendarEventAction: IconCalendarPlus,
  composeAction: IconMessage,
} as const

interface RichSuggestion {
  reply?: { text: string }
  action?: { text: string } & { [kind in keyof typeof ICONS]?: object }
}

const fileOf = ({ contentInfo, uploadedRbmFile }: FilePart) => contentInfo?.fileUrl ?? uploadedRbmFile?.fileName

function Suggestion({ suggestion: { reply, action } }: { suggestion: RichSuggestion }) {
  const kind = (Object.keys(ICONS) as (keyof typeof ICONS)[]).find((one) => action?.[one] !== undefined)
  const Icon = kind && ICONS[kind]
  return (
    <li>
      {Icon && <Icon size={14} aria-hidden />}
      <bdi>{reply?.text ?? action?.text}</bdi>
    </li>
  )
}

function Suggestions({
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
        <Suggestion key={index} suggestion={suggestion} />
      ))}
    </ul>
  )
}

interface CardProps {
  card: RichCard
  /** Where its picture stands: above, or at a side. */
  side?: string | undefined
  width?: string | undefined
}

function Card({ card: { media, title, description, suggestions }, side, width }: CardProps) {
  const address = media && fileOf(media)
  return (
    <section className={styles['card']} data-side={side} data-width={width}>
      {address !== undefined && <PhoneMedia address={address} height={media?.height} />}
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
      <Suggestions suggestions={suggestions} kind="actions" />
    </section>
  )
}

function Content({ message }: { message: RcsPhoneMessage }) {
  const t = useTranslator(phoneTexts)
  const { richCard, text } = message
  const { standaloneCard: alone, carouselCard: carousel } = richCard ?? {}
  const file = fileOf(message)
  const side = alone?.cardOrientation === 'HORIZONTAL' ? (alone.thumbnailImageAlignment ?? 'LEFT') : undefined
  return (
    <>
      {text !== undefined && (
        <p className={styles['bubble']}>
          <bdi>{text}</bdi>
        </p>
      )}
      {file !== undefined && <PhoneMedia address={file} />}
      {alone && <Card card={alone.cardContent} side={side} />}
      {carousel && (
        <div className={styles['carousel']} role="group" aria-label={t('cards')} tabIndex={0}>
          {carousel.cardContents.map((card, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: cards may read alike.
            <Card key={index} card={card} width={carousel.cardWidth} />
          ))}
        </div>
      )}
      <Suggestions suggestions={message.suggestions} kind="chips" />
    </>
  )
}

/** A rich message as the phones of both platforms show it. */
export function RcsPhonePreview({ message, from }: { message: RcsPhoneMessage; from: string }) {
  return (
    <PhoneRow>
      {(['android', 'ios'] as const).map((platform) => (
        <PhoneScreen key={platform} platform={platform} from={from}>
          <Content message={message} />
        </PhoneScreen>
      ))}
    </PhoneRow>
  )
}
