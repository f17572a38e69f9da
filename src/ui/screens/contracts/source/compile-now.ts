import { editProject, saveNow } from '#ui/screens/contracts/project/projects.ts'
import { compileProject, useWorkbench } from '#ui/screens/contracts/project/workbench.ts'

/** Saves and compiles the project; it remembers the compiler's version. */
export function compileNow(): void {
  const { id } = useWorkbench.getState().project
  void saveNow()
  void compileProject((version) =>
    editProject((before) =>
      before.id !== id || before.compiler === version ? before : { ...before, compiler: version },
    ),
  )
}
