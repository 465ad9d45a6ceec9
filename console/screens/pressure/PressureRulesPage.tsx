import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { apiClient } from '../../api/client.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { objectPaths } from '../../paths.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Pressure.module.css'
import { PressurePage } from './PressurePage.tsx'
import { usePressureDescription } from './rule-words.ts'
import { pressureTexts } from './texts.ts'
import { useTopics } from './use-topics.ts'

/** Every rule, in words. */
export function PressureRulesPage() {
  const t = useTranslator(pressureTexts)
  const topics = useTopics()
  const rulesQuery = useQuery({
    queryKey: ['rules'],
    queryFn: ({ signal }) => apiClient.listPressureRules({ signal }),
  })
  const { ruleWords } = usePressureDescription(topics.data ?? [])
  return (
    <PressurePage part="rules">
      {rulesQuery.error && <ProblemAlert error={rulesQuery.error} onRetry={() => void rulesQuery.refetch()} />}
      {rulesQuery.isPending && <LoadingSkeleton lines={[30, 80, 30, 70]} />}
      {rulesQuery.data?.length === 0 && <EmptyState title={t('noRules')}>{t('noRulesWhy')}</EmptyState>}
      {rulesQuery.data && rulesQuery.data.length > 0 && (
        <ul className={styles['rules']}>
          {rulesQuery.data.map((rule) => (
            <li key={rule.id}>
              <div className={styles['name']}>
                <Link to={objectPaths.rule(rule.id)}>{rule.label}</Link>
                <StateBadge tone={rule.active ? 'good' : 'neutral'}>
                  {t(rule.active ? 'active' : 'inactive')}
                </StateBadge>
              </div>
              <p>{ruleWords(rule)}</p>
            </li>
          ))}
        </ul>
      )}
    </PressurePage>
  )
}
