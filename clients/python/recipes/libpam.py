"""The part of Linux-PAM that an application needs (pam(3)), through ctypes: one transaction, whose prompts a callback answers."""

import ctypes
from ctypes import POINTER, byref, c_char_p, c_int, c_void_p

# Message styles and results, from security/_pam_types.h.
PROMPT_ECHO_OFF, PROMPT_ECHO_ON, ERROR_MSG, TEXT_INFO = 1, 2, 3, 4
SUCCESS, BUF_ERR, PERM_DENIED, AUTH_ERR, USER_UNKNOWN, MAXTRIES = 0, 5, 6, 7, 10, 11
NEW_AUTHTOK_REQD, ACCT_EXPIRED, CONV_ERR, AUTHTOK_ERR, TRY_AGAIN = 12, 13, 19, 20, 24
USER, RHOST = 2, 4
DISALLOW_NULL_AUTHTOK, CHANGE_EXPIRED_AUTHTOK = 0x1, 0x20


class _Message(ctypes.Structure):
    _fields_ = [("style", c_int), ("text", c_char_p)]


class _Response(ctypes.Structure):
    _fields_ = [("text", c_void_p), ("code", c_int)]


_CONVERSE = ctypes.CFUNCTYPE(c_int, c_int, POINTER(POINTER(_Message)), POINTER(POINTER(_Response)), c_void_p)


class _Conversation(ctypes.Structure):
    _fields_ = [("converse", _CONVERSE), ("data", c_void_p)]


_pam, _libc = ctypes.CDLL("libpam.so.0"), ctypes.CDLL(None)
# PAM frees the answers, so they have to be allocated by the C library.
_libc.calloc.restype, _libc.calloc.argtypes = c_void_p, [ctypes.c_size_t, ctypes.c_size_t]
_libc.strdup.restype, _libc.strdup.argtypes = c_void_p, [c_char_p]
_pam.pam_set_item.argtypes = [c_void_p, c_int, c_char_p]
_pam.pam_get_item.argtypes = [c_void_p, c_int, POINTER(c_void_p)]
for _function in (_pam.pam_authenticate, _pam.pam_acct_mgmt, _pam.pam_chauthtok, _pam.pam_end):
    _function.argtypes = [c_void_p, c_int]


class Transaction:
    """One user and one service.

    :param answer: called with the style and the text of each message; returns the answer to a prompt. It may block. An exception ends the
        step, and is raised again by `authenticate`, `account` or `change_expired`.
    :param folder: the folder of the service's file. Default: /etc/pam.d.
    """

    def __init__(self, service, user, answer, host=None, folder=None):
        self._answer, self._raised, self._last = answer, None, SUCCESS
        # Kept alive as long as PAM may call it.
        self._conversation = _Conversation(_CONVERSE(self._converse), None)
        self._handle = c_void_p()
        words = [_bytes(service), _bytes(user), byref(self._conversation)]
        start = _pam.pam_start_confdir if folder else _pam.pam_start
        result = start(*words, *([_bytes(folder)] if folder else []), byref(self._handle))
        if result != SUCCESS:
            raise OSError(f"PAM does not start: {result}")
        if host:
            _pam.pam_set_item(self._handle, RHOST, _bytes(host))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        _pam.pam_end(self._handle, self._last)

    def authenticate(self):
        return self._step(_pam.pam_authenticate, DISALLOW_NULL_AUTHTOK)

    def account(self):
        return self._step(_pam.pam_acct_mgmt, DISALLOW_NULL_AUTHTOK)

    def change_expired(self):
        return self._step(_pam.pam_chauthtok, CHANGE_EXPIRED_AUTHTOK)

    @property
    def user(self):
        """The current user: a module may have replaced the typed name by the account's own name."""
        name = c_void_p()
        if _pam.pam_get_item(self._handle, USER, byref(name)) != SUCCESS or not name.value:
            raise OSError("PAM knows no user")
        return ctypes.string_at(name.value).decode()

    def _step(self, function, flags):
        self._last = function(self._handle, flags)
        if self._raised is not None:
            raise self._raised
        return self._last

    def _converse(self, count, messages, responses, _):
        try:
            answers = [self._answer(messages[i].contents.style, (messages[i].contents.text or b"").decode(errors="replace")) for i in range(count)]
            texts = [None if answer is None else _bytes(answer) for answer in answers]
        except BaseException as error:  # an exception cannot pass through C
            self._raised = error
            return CONV_ERR
        array = _libc.calloc(count, ctypes.sizeof(_Response))
        if not array:
            return BUF_ERR
        responses[0] = ctypes.cast(array, POINTER(_Response))
        for i, text in enumerate(texts):
            responses[0][i].text = None if text is None else _libc.strdup(text)
        return SUCCESS


def _bytes(text):
    """Encodes a text. C ends a text at its first NUL: `secret` and `secret\\0x` must not be equal."""
    if "\0" in text:
        raise ValueError("a NUL in a text for PAM")
    return text.encode()
