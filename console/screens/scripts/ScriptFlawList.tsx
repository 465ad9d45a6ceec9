import { StateBadge } from '../../components/StateBadge.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import type { ApiScriptFlaw } from './flaws.ts'
import styles from './Scripts.module.css'
import { scriptTexts } from './texts.ts'

/** Everything that is wrong, with its place. */
export function ScriptFlawList({ flaws }: { flaws: readonly ApiScriptFlaw[] }) {
  const t = useTranslator(scriptTexts)
  if (flaws.length === 0) return null
  return (
    <ul className={styles['flaws']} aria-label={t('flaws')}>
      {flaws.map(({ severity, message, path, position }) => (
        <li key={`${path} ${position?.line} ${position?.column} ${message}`}>
          <StateBadge tone={severity === 'error' ? 'bad' : 'warning'}>{t(severity)}</StateBadge> {message}{' '}
          <small>{position ? t('place', { line: position.line, column: position.column }) : <code>{path}</code>}</small>
        </li>
      ))}
    </ul>
  )
}
