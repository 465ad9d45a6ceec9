import { useText } from '../../text/catalogue.ts'
import styles from './Phone.module.css'
import { Phone, Phones, type Platform } from './Phone.tsx'
import { phoneTexts } from './texts.ts'

export interface PushShown {
  title: string
  body: string
  image?: string | null
  buttons?: readonly { title: string }[]
}

function Notification({ push, app, platform }: { push: PushShown; app: string; platform: Platform }) {
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
        {image && <p className={styles['media']}>{t('mediaAt', { address: image })}</p>}
        {buttons.length > 0 && (
          <ul className={styles['buttons']}>
            {buttons.map((button, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: buttons may be called alike.
              <li key={index}>{button.title}</li>
            ))}
          </ul>
        )}
      </section>
    </Phone>
  )
}

/** A notification as the phones of both platforms show it. */
export function PushPhones(props: { push: PushShown; app: string }) {
  return (
    <Phones>
      <Notification {...props} platform="android" />
      <Notification {...props} platform="ios" />
    </Phones>
  )
}
