import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useMay } from '../../api/me.ts'
import { FormFrame } from '../../components/form/FormFrame.tsx'
import { type Form, type Stored, useForm } from '../../components/form/use-form.ts'
import { Empty } from '../../components/layout/Empty.tsx'
import { tell } from '../../layout/toasts.tsx'
import { useText } from '../../text/catalogue.ts'
import {
  type Definition,
  type Draft,
  draftOf,
  type Flaw,
  readWorkflow,
  useFlaws,
  useStatistics,
  writeWorkflow,
} from './calls.ts'
import { Graph } from './canvas/Graph.tsx'
import { Palette } from './canvas/Palette.tsx'
import { useSelection } from './canvas/use-selection.ts'
import type { Step } from './model/graph.ts'
import { NodePanel } from './NodePanel.tsx'
import { useExperimentNotes } from './runs/use-experiments.ts'
import { Toolbar } from './Toolbar.tsx'
import { workflowTexts } from './texts.ts'
import { useActs } from './use-acts.ts'
import { useEditing } from './use-editing.ts'
import { WholePanel } from './WholePanel.tsx'
import styles from './Workflows.module.css'

/** Flaws by the node that they are at; those of listeners, tasks and capping are of none. */
function flawsByNode(flaws: readonly Flaw[] | undefined, nodes: readonly Step[]): Map<string, Flaw[]> {
  const by = new Map<string, Flaw[]>()
  for (const flaw of flaws ?? []) {
    const id = nodes[Number(/^\/nodes\/(\d+)/.exec(flaw.path)?.[1] ?? -1)]?.id
    if (id !== undefined) by.set(id, [...(by.get(id) ?? []), flaw])
  }
  return by
}

function useWorkflowForm(stored: Stored<Definition>): Form<Draft> {
  const t = useText(workflowTexts)
  const queries = useQueryClient()
  const id = String(stored.data.id)
  const drafted = (one: Stored<Definition>): Stored<Draft> => ({ data: draftOf(one.data), etag: one.etag })
  return useForm<Draft>({
    name: `workflow.${id}`,
    stored: useMemo(() => ({ data: draftOf(stored.data), etag: stored.etag }), [stored]),
    save: async (draft, etag) => {
      const next = await writeWorkflow(id, draft, etag)
      queries.setQueryData(['workflow', id], next)
      return drafted(next)
    },
    load: async () => drafted(await readWorkflow(id)),
    onSaved: () => {
      tell(t('saved'))
      void queries.invalidateQueries({ queryKey: ['workflows'] })
    },
  })
}

/** The flaws of what is stored, by node; in words for the drawing. They are shown at the nodes that were stored. */
function useNodeFlaws(stored: Definition) {
  const { data } = useFlaws(String(stored.id), stored.version)
  return useMemo(() => {
    const byNode = flawsByNode(data, stored.nodes as unknown as Step[])
    const words = new Map([...byNode].map(([node, all]) => [node, all.map(({ message }) => message).join(' ')]))
    const others = data?.filter(({ path }) => !path.startsWith('/nodes/')) ?? []
    return { byNode, words, others }
  }, [data, stored])
}

/** The graph with its tools, and beside it the settings of what is selected. */
export function Editor({ stored }: { stored: Stored<Definition> }) {
  const t = useText(workflowTexts)
  const isOpen = useMay('write')
  const editing = useEditing(useWorkflowForm(stored))
  const { form } = editing
  const [selected, select] = useSelection()
  const [round, setRound] = useState(0)
  const [shown, setShown] = useState<{ id: string }>()
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const id = String(stored.data.id)
  const flaws = useNodeFlaws(stored.data)
  const statistics = useStatistics(id)
  const notes = useExperimentNotes(id, stored.data.nodes as unknown as Step[])
  const acts = useActs({ form, selected, select, isOpen })
  const chosen = useMemo(() => new Set(selected), [selected])
  const { nodes } = form.value
  const step = nodes.find((one) => one.id === selected.at(-1))
  const find = (node: string): void => {
    select([node])
    setShown({ id: node })
  }
  return (
    <FormFrame form={form} pointers={[]}>
      <Toolbar
        {...{ editing, acts, selected, isOpen, isPaletteOpen }}
        onPalette={() => setPaletteOpen(!isPaletteOpen)}
        onFind={find}
        onLayOut={() => setRound(round + 1)}
      />
      <div className={styles['editor']}>
        <div className={styles['drawing']}>
          {isPaletteOpen && isOpen && <Palette onInsert={acts.insert} onClose={() => setPaletteOpen(false)} />}
          {nodes.length === 0 ? (
            !isPaletteOpen && <Empty title={t('noNodes')}>{t('noNodesWhy')}</Empty>
          ) : (
            <Graph
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
          <WholePanel form={form} flaws={flaws.others} runs={statistics.data?.runs} isReadOnly={!isOpen} />
        )}
      </div>
    </FormFrame>
  )
}
