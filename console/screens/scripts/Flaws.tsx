import { Badge } from '../../components/Badge.tsx'
import { useText } from '../../text/catalogue.ts'
import type { Flaw } from './flaws.ts'
import styles from './Scripts.module.css'
import { scriptTexts } from './texts.ts'

/** Everything that is wrong, with its place. */
export function Flaws({ flaws }: { flaws: readonly Flaw[] }) {
  const t = useText(scriptTexts)
  if (flaws.length === 0) return null
  return (
    <ul className={styles['flaws']} aria-label={t('flaws')}>
      {flaws.map(({ severity, message, path, position }) => (
        <li key={`${path} ${position?.line} ${position?.column} ${message}`}>
          <Badge tone={severity === 'error' ? 'bad' : 'warning'}>{t(severity)}</Badge> {message}{' '}
          <small>{position ? t('place', { line: position.line, column: position.column }) : <code>{path}</code>}</small>
        </li>
      ))}
    </ul>
  )
}
