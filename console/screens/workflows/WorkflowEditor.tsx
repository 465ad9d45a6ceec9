import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useHasRight } from '../../api/me.ts'
import { FormLayout } from '../../components/form/FormLayout.tsx'
import { type FormState, type StoredDocument, useDocumentForm } from '../../components/form/use-form.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import {
  type ApiWorkflow,
  type ApiWorkflowFlaw,
  readStoredWorkflow,
  toWorkflowForm,
  useWorkflowFlaws,
  useWorkflowStatistics,
  type WorkflowForm,
  writeStoredWorkflow,
} from './calls.ts'
import { NodePalette } from './canvas/NodePalette.tsx'
import { useNodeSelection } from './canvas/use-selection.ts'
import { WorkflowGraphView } from './canvas/WorkflowGraphView.tsx'
import type { WorkflowFormNode } from './model/graph.ts'
import { NodePanel } from './NodePanel.tsx'
import { useExperimentNotes } from './runs/use-experiments.ts'
import { workflowTexts } from './texts.ts'
import { useWorkflowNodeCommands } from './use-acts.ts'
import { useWorkflowEditing } from './use-editing.ts'
import { WorkflowPanel } from './WorkflowPanel.tsx'
import styles from './WorkflowsPage.module.css'
import { WorkflowToolbar } from './WorkflowToolbar.tsx'

/** Flaws by the node that they are at; those of listeners, tasks and capping are of none. */
function flawsByNode(
  flaws: readonly ApiWorkflowFlaw[] | undefined,
  nodes: readonly WorkflowFormNode[],
): Map<string, ApiWorkflowFlaw[]> {
  const by = new Map<string, ApiWorkflowFlaw[]>()
  for (const flaw of flaws ?? []) {
    const id = nodes[Number(/^\/nodes\/(\d+)/.exec(flaw.path)?.[1] ?? -1)]?.id
    if (id !== undefined) by.set(id, [...(by.get(id) ?? []), flaw])
  }
  return by
}

function useWorkflowForm(stored: StoredDocument<ApiWorkflow>): FormState<WorkflowForm> {
  const t = useTranslator(workflowTexts)
  const queries = useQueryClient()
  const id = String(stored.data.id)
  const drafted = (one: StoredDocument<ApiWorkflow>): StoredDocument<WorkflowForm> => ({
    data: toWorkflowForm(one.data),
    etag: one.etag,
  })
  return useDocumentForm<WorkflowForm>({
    name: `workflow.${id}`,
    stored: useMemo(() => ({ data: toWorkflowForm(stored.data), etag: stored.etag }), [stored]),
    save: async (draft, etag) => {
      const next = await writeStoredWorkflow(id, draft, etag)
      queries.setQueryData(['workflow', id], next)
      return drafted(next)
    },
    load: async () => drafted(await readStoredWorkflow(id)),
    onSaved: () => {
      showToast(t('saved'))
      void queries.invalidateQueries({ queryKey: ['workflows'] })
    },
  })
}

/** The flaws of what is stored, by node; in words for the drawing. They are shown at the nodes that were stored. */
function useNodeFlaws(stored: ApiWorkflow) {
  const { data } = useWorkflowFlaws(String(stored.id), stored.version)
  return useMemo(() => {
    const byNode = flawsByNode(data, stored.nodes as unknown as WorkflowFormNode[])
    const words = new Map([...byNode].map(([node, all]) => [node, all.map(({ message }) => message).join(' ')]))
    const others = data?.filter(({ path }) => !path.startsWith('/nodes/')) ?? []
    return { byNode, words, others }
  }, [data, stored])
}

/** The graph with its tools, and beside it the settings of what is selected. */
export function WorkflowEditor({ stored }: { stored: StoredDocument<ApiWorkflow> }) {
  const t = useTranslator(workflowTexts)
  const isOpen = useHasRight('write')
  const editing = useWorkflowEditing(useWorkflowForm(stored))
  const { form } = editing
  const [selected, select] = useNodeSelection()
  const [round, setRound] = useState(0)
  const [shown, setShown] = useState<{ id: string }>()
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const id = String(stored.data.id)
  const flaws = useNodeFlaws(stored.data)
  const statistics = useWorkflowStatistics(id)
  const notes = useExperimentNotes(id, stored.data.nodes as unknown as WorkflowFormNode[])
  const acts = useWorkflowNodeCommands({ form, selected, select, isOpen })
  const chosen = useMemo(() => new Set(selected), [selected])
  const { nodes } = form.value
  const step = nodes.find((one) => one.id === selected.at(-1))
  const find = (node: string): void => {
    select([node])
    setShown({ id: node })
  }
  return (
    <FormLayout form={form} pointers={[]}>
      <WorkflowToolbar
        {...{ editing, acts, selected, isOpen, isPaletteOpen }}
        onPalette={() => setPaletteOpen(!isPaletteOpen)}
        onFind={find}
        onLayOut={() => setRound(round + 1)}
      />
      <div className={styles['editor']}>
        <div className={styles['drawing']}>
          {isPaletteOpen && isOpen && <NodePalette onInsert={acts.insert} onClose={() => setPaletteOpen(false)} />}
          {nodes.length === 0 ? (
            !isPaletteOpen && <EmptyState title={t('noNodes')}>{t('noNodesWhy')}</EmptyState>
          ) : (
            <WorkflowGraphView
              steps={nodes}
              selected={chosen}
              flaws={flaws.words}
              statistics={statistics.data?.nodes}
              notes={notes}
              onSelect={select}
              round={round}
              dropped={acts.dropped}
              shown={shown}
              {...(isOpen && { edit: acts })}
            />
          )}
        </div>
        {step ? (
          <NodePanel
            key={step.id}
            workflow={id}
            form={form}
            step={step}
            counts={statistics.data?.nodes.find((one) => one.id === step.id)}
            flaws={flaws.byNode.get(step.id) ?? []}
            isReadOnly={!isOpen}
          />
        ) : (
          <WorkflowPanel form={form} flaws={flaws.others} runs={statistics.data?.runs} isReadOnly={!isOpen} />
        )}
      </div>
    </FormLayout>
  )
}
