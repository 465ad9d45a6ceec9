import { useTranslator } from '../../text/catalogue.ts'
import { PhoneMedia } from './PhoneMedia.tsx'
import styles from './PhoneScreen.module.css'
import { type PhonePlatform, PhoneRow, PhoneScreen } from './PhoneScreen.tsx'
import { phoneTexts } from './texts.ts'

export interface PushPreviewContent {
  title: string
  body: string
  image?: string | null
  buttons?: readonly { title: string }[]
}

interface Props {
  push: PushPreviewContent
  app: string
}

function PushNotification({ push, app, platform }: Props & { platform: PhonePlatform }) {
  const t = useTranslator(phoneTexts)
  const { title, body, image, buttons = [] } = push
  return (
    <PhoneScreen platform={platform}>
      <section className={styles['notification']}>
        <p className={styles['app']}>
          <span className={styles['icon']} aria-hidden />
          <bdi>{app}</bdi>
          <span>{t('now')}</span>
        </p>
        <strong>
          <bdi>{title}</bdi>
        </strong>
        <p>
          <bdi>{body}</bdi>
        </p>
        {image && <PhoneMedia address={image} />}
        {buttons.length > 0 && platform === 'android' && <PushButtons buttons={buttons} />}
      </section>
      {buttons.length > 0 && platform === 'ios' && <PushButtons buttons={buttons} />}
    </PhoneScreen>
  )
}

function PushButtons({ buttons }: { buttons: readonly { title: string }[] }) {
  return (
    <ul className={styles['actions']}>
      {buttons.map(({ title }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: buttons may be called alike.
        <li key={index}>
          <bdi>{title}</bdi>
        </li>
      ))}
    </ul>
  )
}

/** A notification on both platforms, to stand within `PhoneRow`. */
export function PushPlatformPair(props: Props) {
  return (
    <>
      <PushNotification {...props} platform="android" />
      <PushNotification {...props} platform="ios" />
    </>
  )
}

/** A notification as the phones of both platforms show it. */
export function PushPhonePreview(props: Props) {
  return (
    <PhoneRow>
      <PushPlatformPair {...props} />
    </PhoneRow>
  )
}
