import { useText } from '../../text/catalogue.ts'
import styles from './Phone.module.css'
import { Phone, Phones } from './Phone.tsx'
import { phoneTexts } from './texts.ts'

/** A rich message as RCS Business Messaging takes it, as far as it is drawn. */
export interface RichMessage {
  text?: string
  contentInfo?: { fileUrl: string }
  uploadedRbmFile?: { fileName: string }
  richCard?: {
    standaloneCard?: { cardContent: RichCard }
    carouselCard?: { cardContents: readonly RichCard[] }
  }
  suggestions?: readonly RichSuggestion[]
}

interface RichCard {
  title?: string
  description?: string
  media?: { height?: string; contentInfo?: { fileUrl: string }; uploadedRbmFile?: { fileName: string } }
  suggestions?: readonly RichSuggestion[]
}

interface RichSuggestion {
  reply?: { text: string }
  action?: { text: string }
}

const fileOf = ({ contentInfo, uploadedRbmFile }: Pick<RichMessage, 'contentInfo' | 'uploadedRbmFile'>) =>
  contentInfo?.fileUrl ?? uploadedRbmFile?.fileName

function Media({ address, height = 'MEDIUM' }: { address: string; height?: string | undefined }) {
  const t = useText(phoneTexts)
  return (
    <p className={styles['media']} data-height={height}>
      {t('mediaAt', { address })}
    </p>
  )
}

function Suggestions({
  suggestions = [],
  kind,
}: {
  suggestions?: readonly RichSuggestion[]
  kind: 'chips' | 'buttons'
}) {
  if (suggestions.length === 0) return null
  return (
    <ul className={styles[kind]}>
      {suggestions.map(({ reply, action }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: suggestions may read alike.
        <li key={index}>
          <bdi>{reply?.text ?? action?.text}</bdi>
        </li>
      ))}
    </ul>
  )
}

function Card({ card }: { card: RichCard }) {
  const address = card.media && fileOf(card.media)
  return (
    <section className={styles['card']}>
      {address !== undefined && <Media address={address} height={card.media?.height} />}
      {card.title !== undefined && (
        <strong>
          <bdi>{card.title}</bdi>
        </strong>
      )}
      {card.description !== undefined && <p>{card.description}</p>}
      <Suggestions suggestions={card.suggestions ?? []} kind="buttons" />
    </section>
  )
}

function Content({ message }: { message: RichMessage }) {
  const { richCard, text } = message
  const cards = richCard?.carouselCard?.cardContents
  const file = fileOf(message)
  return (
    <>
      {text !== undefined && <p className={styles['bubble']}>{text}</p>}
      {file !== undefined && <Media address={file} />}
      {richCard?.standaloneCard && <Card card={richCard.standaloneCard.cardContent} />}
      {cards && (
        <div className={styles['carousel']} tabIndex={0}>
          {cards.map((card, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: cards may read alike.
            <Card key={index} card={card} />
          ))}
        </div>
      )}
      <Suggestions suggestions={message.suggestions ?? []} kind="chips" />
    </>
  )
}

/** A rich message as the phones of both platforms show it. */
export function RcsPhones({ message, from }: { message: RichMessage; from: string }) {
  return (
    <Phones>
      {(['android', 'ios'] as const).map((platform) => (
        <Phone key={platform} platform={platform} from={from}>
          <Content message={message} />
        </Phone>
      ))}
    </Phones>
  )
}
