import type { ReactNode } from 'react'
import styles from './PagePanel.module.css'

interface Props {
  title: string
  /** Beside the title: a small control or figure. */
  tools?: ReactNode
  children: ReactNode
}

/** Part of a page with its own heading, next to others. */
export function PagePanel({ title, tools, children }: Props) {
  return (
    <section className={styles['panel']}>
      <header>
        <h2>{title}</h2>
        {tools}
      </header>
      {children}
    </section>
  )
}

interface TwoColumnProps {
  children: ReactNode
  aside: ReactNode
  /** On a phone, the aside comes first because it is more informative. */
  isAsideFirst?: boolean
}

/** Two columns: the main content and an aside; stacked on a phone. */
export function TwoColumnLayout({ children, aside, isAsideFirst = false }: TwoColumnProps) {
  return (
    <div className={styles['split']} data-aside-first={isAsideFirst || undefined}>
      <div className={styles['main']}>{children}</div>
      <div className={styles['aside']}>{aside}</div>
    </div>
  )
}

export interface LabelledFact {
  key: string
  label: ReactNode
  value: ReactNode
}

/** List of labelled facts. */
export function FactList({ facts }: { facts: readonly LabelledFact[] }) {
  return (
    <dl className={styles['facts']}>
      {facts.map(({ key, label, value }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
