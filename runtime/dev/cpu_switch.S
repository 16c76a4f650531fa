/* cpu_switch.S - from stack to stack: cpu_int.h says what each does.
 *
 * What a call must keep lies on the stack that is left, and its stack pointer
 * in *save.  Floating-point modes are the same everywhere in a kernel.
 */
	.text
	.globl cpu_switch, cpu_leave, cpu_try, cpu_prepare
	.hidden cpu_switch, cpu_leave, cpu_try, cpu_prepare

#if defined __x86_64__

	.type cpu_switch, @function
cpu_switch:                     /* (void **save, void *to, int value) */
	pushq %rbp
	pushq %rbx
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	movq %rsp, (%rdi)
	movq %rsi, %rdi
	movl %edx, %esi
cpu_leave:                      /* (void *to, int value) */
	movq %rdi, %rsp
	movl %esi, %eax
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbx
	popq %rbp
	popq %rcx               /* a ret would be guessed wrong */
	jmp *%rcx
	.size cpu_switch, . - cpu_switch

	.type cpu_try, @function
cpu_try:                        /* (void **save, void (*fn)(void *), void *) */
	pushq %rbp
	pushq %rbx
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	movq %rsp, (%rdi)
	subq $8, %rsp
	movq %rdx, %rdi
	call *%rsi
	addq $8, %rsp
	movq %rsp, %rdi
	xorl %esi, %esi
	jmp cpu_leave
	.size cpu_try, . - cpu_try

	.type cpu_prepare, @function
cpu_prepare:                    /* (void *top, void (*fn)(void *), void *) */
	leaq enter(%rip), %rcx
	movq $0, -8(%rdi)       /* where a backtrace ends */
	movq %rcx, -16(%rdi)
	movq $0, -24(%rdi)      /* rbp */
	movq %rsi, -32(%rdi)    /* rbx */
	movq %rdx, -40(%rdi)    /* r12 */
	leaq -64(%rdi), %rax    /* r13, r14, r15: anything */
	ret
	.size cpu_prepare, . - cpu_prepare

	.type enter, @function
enter:
	.cfi_startproc
	.cfi_undefined rip
	subq $8, %rsp
	movq %r12, %rdi
	call *%rbx
	ud2
	.cfi_endproc
	.size enter, . - enter

#elif defined __aarch64__

	.macro keep
	sub sp, sp, #160
	stp x19, x20, [sp]
	stp x21, x22, [sp, #16]
	stp x23, x24, [sp, #32]
	stp x25, x26, [sp, #48]
	stp x27, x28, [sp, #64]
	stp x29, x30, [sp, #80]
	stp d8, d9, [sp, #96]
	stp d10, d11, [sp, #112]
	stp d12, d13, [sp, #128]
	stp d14, d15, [sp, #144]
	mov x9, sp
	.endm

	.type cpu_switch, %function
cpu_switch:
	keep
	str x9, [x0]
	mov x0, x1
	mov w1, w2
cpu_leave:
	mov sp, x0
	mov w0, w1
	ldp x19, x20, [sp]
	ldp x21, x22, [sp, #16]
	ldp x23, x24, [sp, #32]
	ldp x25, x26, [sp, #48]
	ldp x27, x28, [sp, #64]
	ldp x29, x30, [sp, #80]
	ldp d8, d9, [sp, #96]
	ldp d10, d11, [sp, #112]
	ldp d12, d13, [sp, #128]
	ldp d14, d15, [sp, #144]
	add sp, sp, #160
	ret
	.size cpu_switch, . - cpu_switch

	.type cpu_try, %function
cpu_try:
	keep
	str x9, [x0]
	mov x0, x2
	blr x1
	mov x0, sp
	mov w1, #0
	b cpu_leave
	.size cpu_try, . - cpu_try

	.type cpu_prepare, %function
cpu_prepare:
	sub x3, x0, #160
	str x1, [x3]            /* x19 */
	str x2, [x3, #8]        /* x20 */
	adr x4, enter
	stp xzr, x4, [x3, #80]
	mov x0, x3
	ret
	.size cpu_prepare, . - cpu_prepare

	.type enter, %function
enter:
	.cfi_startproc
	.cfi_undefined x30
	mov x0, x20
	blr x19
	brk #0
	.cfi_endproc
	.size enter, . - enter

#endif
	.section .note.GNU-stack, "", %progbits
