import type { ReactNode } from 'react'
import styles from './PagePanel.module.css'

interface Props {
  title: string
  /** Beside the title: a small control or figure. */
  tools?: ReactNode
  children: ReactNode
}

/** A part of a page with a heading of its own, beside others. */
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

interface SplitProps {
  children: ReactNode
  aside: ReactNode
  /** On a phone what stands beside comes first, as it says more. */
  isAsideFirst?: boolean
}

/** Two columns: what is read, and what stands beside it; one below the other on a phone. */
export function TwoColumnLayout({ children, aside, isAsideFirst = false }: SplitProps) {
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

/** What is known, name by name. */
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
