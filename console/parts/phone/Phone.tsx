import type { ReactNode } from 'react'
import { useText } from '../../text/catalogue.ts'
import styles from './Phone.module.css'
import { phoneTexts } from './texts.ts'

export type Platform = 'android' | 'ios'

/** The screen of a phone, with whom a message is from at its top. */
export function Phone({ platform, from, children }: { platform?: Platform; from?: string; children: ReactNode }) {
  const t = useText(phoneTexts)
  return (
    <figure className={styles['phone']} data-platform={platform}>
      {platform && <figcaption>{t(platform)}</figcaption>}
      <div className={styles['screen']}>
        {from !== undefined && (
          <p className={styles['from']}>
            <bdi>{from}</bdi>
          </p>
        )}
        {children}
      </div>
    </figure>
  )
}

/** Phones beside each other. */
export function Phones({ children }: { children: ReactNode }) {
  return <div className={styles['phones']}>{children}</div>
}
