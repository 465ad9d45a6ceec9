import { useText } from '../../text/catalogue.ts'
import { Media } from './Media.tsx'
import styles from './Phone.module.css'
import { Phone, Phones, type Platform } from './Phone.tsx'
import { phoneTexts } from './texts.ts'

export interface PushShown {
  title: string
  body: string
  image?: string | null
  buttons?: readonly { title: string }[]
}

interface Props {
  push: PushShown
  app: string
}

function Notification({ push, app, platform }: Props & { platform: Platform }) {
  const t = useText(phoneTexts)
  const { title, body, image, buttons = [] } = push
  return (
    <Phone platform={platform}>
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
        {image && <Media address={image} />}
        {buttons.length > 0 && platform === 'android' && <Buttons buttons={buttons} />}
      </section>
      {buttons.length > 0 && platform === 'ios' && <Buttons buttons={buttons} />}
    </Phone>
  )
}

function Buttons({ buttons }: { buttons: readonly { title: string }[] }) {
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

/** A notification on both platforms, to stand within `Phones`. */
export function PushPair(props: Props) {
  return (
    <>
      <Notification {...props} platform="android" />
      <Notification {...props} platform="ios" />
    </>
  )
}

/** A notification as the phones of both platforms show it. */
export function PushPhones(props: Props) {
  return (
    <Phones>
      <PushPair {...props} />
    </Phones>
  )
}
