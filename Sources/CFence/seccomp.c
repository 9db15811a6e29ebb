#include "CFence.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

// Architectures differ in which of the older calls they have.
static const short always[] = {
    SYS_read, SYS_write, SYS_ppoll, SYS_futex, SYS_clock_gettime, SYS_gettimeofday,
#ifdef SYS_poll
    SYS_poll, SYS_time,
#endif
    // Descriptors.
    SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_close, SYS_lseek, SYS_fcntl, SYS_dup, SYS_dup3, SYS_pipe2, SYS_eventfd2, SYS_fsync,
    SYS_fdatasync, SYS_ftruncate, SYS_fallocate, SYS_flock, SYS_sendmsg, SYS_recvmsg,
#ifdef SYS_dup2
    SYS_dup2,
#endif
    // Files by name. Landlock says which. How they may be opened is asked below.
    SYS_fstat, SYS_newfstatat, SYS_statx, SYS_faccessat, 439 /* faccessat2 */, SYS_readlinkat, SYS_unlinkat, SYS_renameat, SYS_renameat2,
    SYS_linkat, SYS_mkdirat, SYS_getcwd, SYS_fstatfs,
#ifdef SYS_open
    SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_unlink, SYS_rename, SYS_link, SYS_mkdir,
#endif
    // Memory. What may be executed is asked below.
    SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise,
    // Time, chance, and the process itself.
    SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_getrandom, SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid,
    SYS_getegid, SYS_uname, SYS_sched_yield, SYS_sched_getaffinity, SYS_restart_syscall, SYS_exit, SYS_exit_group,
    // Signals, and the processes that the starter has started.
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_kill, SYS_tgkill, SYS_wait4, SYS_waitid,
};

static const short threads[] = {
    SYS_set_robust_list, SYS_sched_getattr, SYS_sched_getscheduler, SYS_sched_getparam, SYS_membarrier,
#ifdef SYS_rseq
    SYS_rseq,
#endif
};

static const short network[] = {
    SYS_connect, SYS_bind, SYS_getsockname, SYS_getpeername, SYS_getsockopt, SYS_setsockopt, SYS_shutdown, SYS_sendto, SYS_recvfrom,
    SYS_sendmmsg, SYS_recvmmsg, SYS_getdents64, SYS_statfs, SYS_sysinfo, SYS_mmap, SYS_mprotect,
#ifdef SYS_getdents
    SYS_getdents,
#endif
};

// Servers on a network and on this machine. The C library asks the kernel for network interfaces as well (AF_NETLINK), by which root sets them up; without an
// answer it takes it that there are some of each kind.
static const unsigned families[] = {AF_UNIX, AF_INET, AF_INET6};

// What libraries ask of sockets, and whether something is a terminal. Others type into a terminal (TIOCSTI), or set up network interfaces.
static const unsigned requests[] = {FIONREAD, FIONBIO, TCGETS, SIOCGIFNAME, SIOCGIFCONF, SIOCGIFFLAGS, SIOCGIFADDR, SIOCGIFINDEX};

// The last call that this program can know. Newer ones do not exist, so that a newer C library takes an older one.
enum { last_known = 462 };

enum { capacity = 512 };

struct program {
  struct sock_filter steps[capacity];
  unsigned short count;
};

static void add(struct program *program, struct sock_filter step) {
  if (program->count < capacity) program->steps[program->count++] = step;
}

#define STEP(code, value) add(program, (struct sock_filter)BPF_STMT(code, value))
#define JUMP(code, value, yes, no) add(program, (struct sock_filter)BPF_JUMP(code, value, yes, no))
#define RETURN(action) STEP(BPF_RET | BPF_K, action)
// On these architectures the lower half of an argument is first.
#define LOAD(field) STEP(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))

enum { allowed = (int)SECCOMP_RET_ALLOW, refused = SECCOMP_RET_ERRNO | EPERM, unknown = SECCOMP_RET_ERRNO | ENOSYS };

/// Some of the calls that there are.
struct set {
  short calls[last_known + 1];
  int count;
};

/// Puts calls among those that are there, in their order.
static void allow(struct set *set, const short *calls, int count) {
  for (int i = 0; i < count; i++) {
    int place = set->count++;
    for (; place > 0 && set->calls[place - 1] > calls[i]; place--) set->calls[place] = set->calls[place - 1];
    set->calls[place] = calls[i];
  }
}

/// Asks whether a call is one of a few, by halves: the kernel runs the program for each call that there is when it takes it, and older ones at each call.
static void write_choice(struct program *program, const short *calls, int count) {
  if (count > 2) {
    JUMP(BPF_JMP | BPF_JGE | BPF_K, (unsigned)calls[count / 2], 0, 0);
    int jump = program->count - 1;
    write_choice(program, calls, count / 2);
    program->steps[jump].jt = (unsigned char)(program->count - 1 - jump);
    return write_choice(program, calls + count / 2, count - count / 2);
  }
  for (int i = 0; i < count; i++) {
    JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i], 0, 1);
    RETURN(allowed);
  }
  RETURN(refused);
}

/// Allows a call by the bits that the argument has, or has not.
static void allow_by_bits(struct program *program, unsigned call, int argument, unsigned bits, int must_have) {
  JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
  LOAD(args[argument]);
  JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, must_have ? 0 : 1, must_have ? 1 : 0);
  RETURN(allowed);
  RETURN(refused);
}

/// Allows a call if the lower half of an argument is one of a few values, which is all that the kernel reads of them.
static void allow_by_values(struct program *program, unsigned call, int argument, const unsigned *values, int count) {
  JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, (unsigned char)(count + 3));
  LOAD(args[argument]);
  for (int i = 0; i < count; i++) JUMP(BPF_JMP | BPF_JEQ | BPF_K, values[i], (unsigned char)(count - i), 0);
  RETURN(refused);
  RETURN(allowed);
}

/// Allows to open files for reading, for writing and for both. Landlock looks at these rights alone: with the fourth access mode, which gives none of them, it
/// lets every file be opened, whose mode and owner can then be changed; and before version 3 it lets whoever may read a file empty it. A file that is made gets
/// no bit that gives programs rights. The mode is the argument behind the flags, and anything where no file is made.
static void allow_opening(struct program *program, unsigned call, int argument) {
  JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 11);
  LOAD(args[argument]);
  JUMP(BPF_JMP | BPF_JSET | BPF_K, O_CREAT | (O_TMPFILE & ~O_DIRECTORY), 0, 3);
  LOAD(args[argument + 1]);
  JUMP(BPF_JMP | BPF_JSET | BPF_K, 07000, 6, 0);
  LOAD(args[argument]);
  JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TRUNC, 0, 1);
  JUMP(BPF_JMP | BPF_JSET | BPF_K, O_ACCMODE, 0, 3);
  STEP(BPF_ALU | BPF_AND | BPF_K, O_ACCMODE);
  JUMP(BPF_JMP | BPF_JEQ | BPF_K, O_ACCMODE, 1, 0);
  RETURN(allowed);
  RETURN(refused);
}

#define ALLOW(set, list) allow(set, list, sizeof list / sizeof list[0])
#define ALLOW_VALUES(call, argument, list) allow_by_values(program, call, argument, list, sizeof list / sizeof list[0])

static void write_program(struct program *program, unsigned calls) {
  LOAD(arch);
  JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
  RETURN(refused);
  LOAD(nr);
  // What clone3 would do cannot be seen here; the C library takes clone in its place.
  JUMP(BPF_JMP | BPF_JEQ | BPF_K, 435 /* clone3 */, 1, 0);
  JUMP(BPF_JMP | BPF_JGT | BPF_K, last_known, 0, 1);
  RETURN(unknown);
  allow_opening(program, SYS_openat, 2);
#ifdef SYS_open
  allow_opening(program, SYS_open, 1);
#endif
  struct set set = {.count = 0};
  ALLOW(&set, always);
  static const unsigned itself[] = {0};
  if (calls & CFENCE_THREADS) {
    ALLOW(&set, threads);
    // A thread is no process.
    allow_by_bits(program, SYS_clone, 0, CLONE_THREAD, 1);
    ALLOW_VALUES(SYS_sched_setattr, 0, itself);
  }
  if (calls & CFENCE_MODES) {
    static const short owners[] = {SYS_fchown};
    ALLOW(&set, owners);
    // No program that others run with the rights of its owner.
    allow_by_bits(program, SYS_fchmod, 1, 07000, 0);
  }
  if (calls & CFENCE_NETWORK) {
    ALLOW(&set, network);
    ALLOW_VALUES(SYS_socket, 0, families);
    ALLOW_VALUES(SYS_ioctl, 1, requests);
    ALLOW_VALUES(SYS_prlimit64, 0, itself);
  } else {
    // No memory becomes a program.
    allow_by_bits(program, SYS_mmap, 2, PROT_EXEC, 0);
    allow_by_bits(program, SYS_mprotect, 2, PROT_EXEC, 0);
  }
  write_choice(program, set.calls, set.count);
}

int cfence_seccomp(unsigned calls) {
  struct program program = {.count = 0};
  write_program(&program, calls);
  if (program.count == capacity) {
    errno = E2BIG;
    return -1;
  }
  struct sock_fprog fprog = {program.count, program.steps};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &fprog, 0, 0);
}

#else

int cfence_seccomp(unsigned calls) {
  (void)calls;
  errno = ENOSYS;
  return -1;
}

#endif
