import type { ReactNode } from 'react'
import { ProductLogo } from '../../layout/bar/ProductLogo.tsx'
import styles from './PublicPageCard.module.css'

/** The page of somebody who is not signed in: one card. */
export function PublicPageCard({ title, lead, children }: { title: string; lead?: ReactNode; children?: ReactNode }) {
  return (
    <main className={styles['door']}>
      <div className={styles['brand']}>
        <ProductLogo size={28} />
        <span>Stentor</span>
      </div>
      <section className={styles['card']} aria-labelledby="door-title">
        <h1 id="door-title">{title}</h1>
        {lead && <p className={styles['lead']}>{lead}</p>}
        {children && <div className={styles['body']}>{children}</div>}
      </section>
    </main>
  )
}
