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
function groupFlawsByNode(
  flaws: readonly ApiWorkflowFlaw[] | undefined,
  nodes: readonly WorkflowFormNode[],
): Map<string, ApiWorkflowFlaw[]> {
  const flawsById = new Map<string, ApiWorkflowFlaw[]>()
  for (const flaw of flaws ?? []) {
    const id = nodes[Number(/^\/nodes\/(\d+)/.exec(flaw.path)?.[1] ?? -1)]?.id
    if (id !== undefined) flawsById.set(id, [...(flawsById.get(id) ?? []), flaw])
  }
  return flawsById
}

function useWorkflowForm(storedWorkflow: StoredDocument<ApiWorkflow>): FormState<WorkflowForm> {
  const t = useTranslator(workflowTexts)
  const queryClient = useQueryClient()
  const id = String(storedWorkflow.data.id)
  const toStoredForm = (workflowDocument: StoredDocument<ApiWorkflow>): StoredDocument<WorkflowForm> => ({
    data: toWorkflowForm(workflowDocument.data),
    etag: workflowDocument.etag,
  })
  return useDocumentForm<WorkflowForm>({
    name: `workflow.${id}`,
    stored: useMemo(() => ({ data: toWorkflowForm(storedWorkflow.data), etag: storedWorkflow.etag }), [storedWorkflow]),
    save: async (draft, etag) => {
      const storedNext = await writeStoredWorkflow(id, draft, etag)
      queryClient.setQueryData(['workflow', id], storedNext)
      return toStoredForm(storedNext)
    },
    load: async () => toStoredForm(await readStoredWorkflow(id)),
    onSaved: () => {
      showToast(t('saved'))
      void queryClient.invalidateQueries({ queryKey: ['workflows'] })
    },
  })
}

/** The flaws of what is stored, by node; in words for the drawing. They are shown at the nodes that were stored. */
function useNodeFlaws(storedWorkflow: ApiWorkflow) {
  const { data } = useWorkflowFlaws(String(storedWorkflow.id), storedWorkflow.version)
  return useMemo(() => {
    const groupedFlaws = groupFlawsByNode(data, storedWorkflow.nodes as unknown as WorkflowFormNode[])
    const flawTexts = new Map(
      [...groupedFlaws].map(([node, groupFlaws]) => [node, groupFlaws.map(({ message }) => message).join(' ')]),
    )
    const generalFlaws = data?.filter(({ path }) => !path.startsWith('/nodes/')) ?? []
    return { byNode: groupedFlaws, words: flawTexts, others: generalFlaws }
  }, [data, storedWorkflow])
}

/** The graph with its tools, and the settings of the selected node next to it. */
export function WorkflowEditor({ stored: storedWorkflow }: { stored: StoredDocument<ApiWorkflow> }) {
  const t = useTranslator(workflowTexts)
  const canWrite = useHasRight('write')
  const editing = useWorkflowEditing(useWorkflowForm(storedWorkflow))
  const { form } = editing
  const [selectedIds, setSelectedIds] = useNodeSelection()
  const [layoutRound, setLayoutRound] = useState(0)
  const [focusedNode, setFocusedNode] = useState<{ id: string }>()
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const id = String(storedWorkflow.data.id)
  const nodeFlaws = useNodeFlaws(storedWorkflow.data)
  const statistics = useWorkflowStatistics(id)
  const experimentNotes = useExperimentNotes(id, storedWorkflow.data.nodes as unknown as WorkflowFormNode[])
  const nodeCommands = useWorkflowNodeCommands({
    form,
    selected: selectedIds,
    select: setSelectedIds,
    isOpen: canWrite,
  })
  const selectedSet = useMemo(() => new Set(selectedIds), [selectedIds])
  const { nodes } = form.value
  const selectedStep = nodes.find((candidate) => candidate.id === selectedIds.at(-1))
  const showNode = (node: string): void => {
    setSelectedIds([node])
    setFocusedNode({ id: node })
  }
  return (
    <FormLayout form={form} pointers={[]}>
      <WorkflowToolbar
        editing={editing}
        acts={nodeCommands}
        selected={selectedIds}
        isOpen={canWrite}
        isPaletteOpen={isPaletteOpen}
        onPalette={() => setPaletteOpen(!isPaletteOpen)}
        onFind={showNode}
        onLayOut={() => setLayoutRound(layoutRound + 1)}
      />
      <div className={styles['editor']}>
        <div className={styles['drawing']}>
          {isPaletteOpen && canWrite && (
            <NodePalette onInsert={nodeCommands.insert} onClose={() => setPaletteOpen(false)} />
          )}
          {nodes.length === 0 ? (
            !isPaletteOpen && <EmptyState title={t('noNodes')}>{t('noNodesWhy')}</EmptyState>
          ) : (
            <WorkflowGraphView
              steps={nodes}
              selected={selectedSet}
              flaws={nodeFlaws.words}
              statistics={statistics.data?.nodes}
              notes={experimentNotes}
              onSelect={setSelectedIds}
              round={layoutRound}
              dropped={nodeCommands.dropped}
              shown={focusedNode}
              {...(canWrite && { edit: nodeCommands })}
            />
          )}
        </div>
        {selectedStep ? (
          <NodePanel
            key={selectedStep.id}
            workflow={id}
            form={form}
            step={selectedStep}
            counts={statistics.data?.nodes.find((candidate) => candidate.id === selectedStep.id)}
            flaws={nodeFlaws.byNode.get(selectedStep.id) ?? []}
            isReadOnly={!canWrite}
          />
        ) : (
          <WorkflowPanel form={form} flaws={nodeFlaws.others} runs={statistics.data?.runs} isReadOnly={!canWrite} />
        )}
      </div>
    </FormLayout>
  )
}
